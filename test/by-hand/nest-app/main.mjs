/* oxlint-disable no-unassigned-import, no-extraneous-class -- the framework asks for both; decorators are called as functions, so that nothing has to be compiled */
import "reflect-metadata";
import { Body, Controller, Module, Post, Injectable, Inject } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import OpenAI from "openai";

class Assistant {
  client = new OpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1`, apiKey: "sk-test" });
  async answer(message) {
    const { choices } = await this.client.chat.completions.create({
      model: "scn-ok",
      messages: [{ role: "user", content: message }],
    });
    return choices[0].message.content;
  }
}
Injectable()(Assistant);
class Chat {
  constructor(assistant) {
    this.assistant = assistant;
  }
  async chat(body) {
    return { answer: await this.assistant.answer(body.message), at: Date.now() };
  }
}
Controller()(Chat);
Inject(Assistant)(Chat, undefined, 0);
Post("api/chat")(Chat.prototype, "chat", Object.getOwnPropertyDescriptor(Chat.prototype, "chat"));
Body()(Chat.prototype, "chat", 0);
class App {}
Module({ controllers: [Chat], providers: [Assistant] })(App);
const app = await NestFactory.create(App, { logger: false });
await app.listen(Number(process.env.PORT), "127.0.0.1");
