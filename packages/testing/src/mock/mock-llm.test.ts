import { once } from "node:events";
import http, { createServer } from "node:http";
import { connect } from "node:http2";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import Anthropic from "@anthropic-ai/sdk";
import { openai as aiModel } from "@ai-sdk/openai";
import { GoogleGenAI } from "@google/genai";
import { generateText, stepCountIs, streamText, tool } from "ai";
import axios from "axios";
import OpenAI from "openai";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { mockLLM } from "../index.ts";

const openai = new OpenAI();
const anthropic = new Anthropic();
const google = new GoogleGenAI({});

const messages = [{ role: "user" as const, content: "Please refund A-17." }];
const lookUp = {
  type: "function" as const,
  function: { name: "look_up", parameters: { type: "object", properties: {} } },
};

async function chat(model = "gpt-5", more: object = {}): Promise<string | null> {
  const completion = await openai.chat.completions.create({ model, messages, ...more });
  return completion.choices[0]?.message.content ?? null;
}

async function collect<T, R>(stream: AsyncIterable<T>, read: (part: T) => R): Promise<R[]> {
  const parts: R[] = [];
  for await (const part of stream) parts.push(read(part));
  return parts;
}

/** A tool loop by hand, as an agent has it. */
async function desk(): Promise<string | null> {
  const said: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: "You refund." }, ...messages];
  for (;;) {
    const completion = await openai.chat.completions.create({ model: "gpt-5", messages: said, tools: [lookUp] });
    const message = completion.choices[0]!.message;
    if (message.tool_calls === undefined) return message.content;
    said.push(message);
    for (const { id } of message.tool_calls) said.push({ role: "tool", tool_call_id: id, content: "shipped" });
  }
}

describe("every client gets its own format", () => {
  test.each<[string, () => PromiseLike<unknown>, unknown]>([
    ["OpenAI chat", () => chat(), "Hello"],
    [
      "OpenAI responses",
      async () => (await openai.responses.create({ model: "gpt-5", input: "hi" })).output_text,
      "Hello",
    ],
    [
      "OpenAI responses, streamed",
      async () => {
        const stream = openai.responses.stream({ model: "gpt-5", input: "hi" });
        return (await stream.finalResponse()).output_text;
      },
      "Hello",
    ],
    [
      "Anthropic",
      async () => (await anthropic.messages.create({ model: "claude", max_tokens: 9, messages })).content,
      [expect.objectContaining({ type: "text", text: "Hello" })],
    ],
    [
      "Anthropic, streamed",
      () => anthropic.messages.stream({ model: "claude", max_tokens: 9, messages }).finalText(),
      "Hello",
    ],
    [
      "Google GenAI",
      async () => (await google.models.generateContent({ model: "gemini-3-pro", contents: "hi" })).text,
      "Hello",
    ],
    [
      "Google GenAI, streamed",
      async () => {
        const stream = await google.models.generateContentStream({ model: "gemini-3-pro", contents: "hi" });
        return (await collect(stream, ({ text }) => text ?? "")).join("");
      },
      "Hello",
    ],
    ["AI SDK, streamed", () => streamText({ model: aiModel("gpt-5"), prompt: "hi" }).text, "Hello"],
    [
      "axios, over node:http",
      async () => {
        const { data } = await axios.post<OpenAI.ChatCompletion>(
          "https://api.openai.com/v1/chat/completions",
          { model: "gpt-5", messages },
          { timeout: 5000 },
        );
        return data.choices[0]?.message.content;
      },
      "Hello",
    ],
  ])("%s", async (_, call, expected) => {
    const llm = mockLLM().reply("Hello");
    expect(await llm.run(call)).toEqual(expected);
    expect(llm.calls).toMatchObject([{ n: 1, answeredBy: 'reply "Hello"' }]);
  });

  test("a tool loop of the AI SDK", async () => {
    const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => `sun in ${city}` });
    const llm = mockLLM().toolCall("weather", { city: "Bern" }).reply("Sunny.");
    const { text } = await llm.run(() =>
      generateText({ model: aiModel("gpt-5"), prompt: "Bern?", tools: { weather }, stopWhen: stepCountIs(3) }),
    );
    expect(text).toBe("Sunny.");
    expect(llm.calls.map(({ toolResults }) => toolResults)).toEqual([[], ["sun in Bern"]]);
  });
});

test("the calls say what was asked, and with which tools", async () => {
  const llm = mockLLM().toolCall("look_up", { id: "A-17" }).reply("Refunded.");
  expect(await llm.run(desk)).toBe("Refunded.");
  expect(llm.calls[1]).toMatchObject({
    operation: "openai.chat",
    model: "gpt-5",
    system: "You refund.",
    lastUser: "Please refund A-17.",
    toolResults: ["shipped"],
    tools: [{ name: "look_up" }],
    messages: [
      { role: "system", text: "You refund." },
      { role: "user", text: "Please refund A-17." },
      { role: "assistant", asksFor: ["look_up"] },
      { role: "tool", text: "shipped" },
    ],
  });
});

test("a list is the parts of a stream, which may break off", async () => {
  const stream = { stream: true, model: "gpt-5", messages } as const;
  const texts = (chunk: OpenAI.ChatCompletionChunk): string => chunk.choices[0]?.delta.content ?? "";
  const whole = mockLLM().reply(["Re", "funded."]);
  const parts = await whole.run(async () => collect(await openai.chat.completions.create(stream), texts));
  expect(parts.filter(Boolean)).toEqual(["Re", "funded."]);
  const broken = mockLLM().reply("Refunded, and much more.", { breaksWith: { message: "overloaded" } });
  await expect(broken.run(async () => collect(await openai.chat.completions.create(stream), texts))).rejects.toThrow(
    "overloaded",
  );
});

test("clients see an error as the provider's, and try again at once where they would", async () => {
  const llm = mockLLM().error(429).error(503).reply("at last");
  expect(await llm.run(() => chat())).toBe("at last");
  expect(llm.calls).toHaveLength(3);
  const refused = mockLLM().error(401, { message: "no such key" });
  await expect(refused.run(() => chat())).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
});

test("a late answer can be given up", async () => {
  const late = mockLLM().reply("late", { delayMs: 60_000 });
  const client = new OpenAI({ timeout: 50, maxRetries: 0 });
  await expect(late.run(() => client.chat.completions.create({ model: "gpt-5", messages }))).rejects.toThrow(
    OpenAI.APIConnectionTimeoutError,
  );
});

test("a timeout of node:http ends the wait for a late answer", async () => {
  const late = mockLLM().reply("late", { delayMs: 60_000 });
  const timedOut = late.run(async () => {
    const request = https.request("https://api.openai.com/v1/chat/completions", { method: "POST", timeout: 50 });
    request.end(JSON.stringify({ model: "gpt-5", messages }));
    await once(request, "timeout");
    request.on("error", () => {}).destroy();
    return "timed out";
  });
  expect(await timedOut).toBe("timed out");
});

test("a connection that changes its protocol goes where the test lets it", async () => {
  const server = createServer().on("upgrade", (_, socket: Duplex) =>
    socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const lookup = (_: string, __: object, found: (error: null, list: object[]) => void): void =>
    found(null, [{ address: "127.0.0.1", family: 4 }]);
  const headers = { connection: "Upgrade", upgrade: "x" };
  const upgraded = mockLLM({ pass: ["feed.example"] }).run(async () => {
    const request = http.request({ host: "feed.example", port, headers, lookup: lookup as never }).end();
    const [response] = (await once(request, "upgrade")) as [http.IncomingMessage];
    return response.statusCode;
  });
  expect(await upgraded).toBe(101);
  server.close();
});

test("an answer can be for a model, or for what a function says", async () => {
  const llm = mockLLM()
    .reply("small", { when: "gpt-5-mini" })
    .reply("refund", { when: ({ lastUser }) => lastUser.includes("refund") })
    .json({ data: [{ index: 0, embedding: [1, 2] }] }, { when: /embedding/ });
  const [big, small, vectors] = await llm.run(() =>
    Promise.all([
      chat("gpt-5"),
      chat("gpt-5-mini"),
      openai.embeddings.create({ model: "text-embedding-3-small", input: "x", encoding_format: "float" }),
    ]),
  );
  expect([big, small, vectors.data[0]?.embedding]).toEqual(["refund", "small", [1, 2]]);
});

test("tests at the same time get each their own answers", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `answer ${at}`);
  const answers = await Promise.all(
    names.map((name) =>
      mockLLM()
        .reply(name)
        .run(() => chat()),
    ),
  );
  expect(answers).toEqual(names);
});

describe("a test fails", () => {
  test.each<[string, string, () => Promise<unknown>, RegExp]>([
    [
      "with a call more than answers, though the agent catches its error",
      "UNEXPECTED_CALL",
      () =>
        mockLLM()
          .reply("one")
          .run(async () => [await chat(), await chat().catch(() => null)]),
      /call 2 was not expected: openai\.chat \(gpt-5\); last message of the user: "Please refund A-17\."\. All answers were given: reply "one"\. Next: /,
    ],
    [
      "with a call that no answer is for",
      "UNEXPECTED_CALL",
      () =>
        mockLLM()
          .reply("one", { when: "gpt-4" })
          .run(() => chat()),
      /No answer that is left is for it: reply "one" when gpt-4/,
    ],
    [
      "with a text for an embedding",
      "UNEXPECTED_CALL",
      () =>
        mockLLM()
          .reply("x")
          .run(() => openai.embeddings.create({ model: "e", input: "x" })),
      /openai\.embeddings \(e\).*\.json/,
    ],
    [
      "with an answer that nobody asked for",
      "UNUSED_ANSWERS",
      () =>
        mockLLM()
          .reply("one")
          .toolCall("look_up")
          .run(() => chat()),
      /1 call was made, and these answers were not asked for: toolCall look_up\. Next: remove them/,
    ],
    [
      "without any call",
      "UNUSED_ANSWERS",
      () =>
        mockLLM()
          .reply("one")
          .run(() => 1),
      /no call of a model was made/,
    ],
    [
      "with a call of a tool that the agent does not offer",
      "TOOL_NOT_OFFERED",
      () => mockLLM().toolCall("delete_all").run(desk),
      /"toolCall delete_all" calls "delete_all", and the request offers "look_up"/,
    ],
    [
      "with a format that cannot be written",
      "NO_FORMAT",
      () =>
        mockLLM()
          .reply("x")
          .run(() => openai.completions.create({ model: "gpt-3", prompt: "x" })),
      /the format of POST \/v1\/completions cannot be written\. Next: answer it with \.json/,
    ],
    [
      "with a request to another host, over fetch",
      "REFUSED_REQUEST",
      () => mockLLM().run(() => fetch("https://billing.example/refunds").catch(() => null)),
      /GET https:\/\/billing\.example\/refunds is no call of a model.*pass: \["billing\.example"\]/,
    ],
    [
      "with a request to another host, over node:http",
      "REFUSED_REQUEST",
      () => mockLLM().run(() => axios.get("https://billing.example/refunds").catch(() => null)),
      /billing\.example/,
    ],
    [
      "with another connection, as of HTTP/2",
      "REFUSED_REQUEST",
      () => mockLLM().run(() => once(connect("https://bedrock.example"), "connect").catch(() => null)),
      /a connection to bedrock\.example:443 .*import @reenact\/testing first.*pass: \["bedrock\.example"\]/,
    ],
    [
      "with a function of the script that throws",
      "BAD_SCRIPT",
      () =>
        mockLLM()
          .reply(() => JSON.parse("no json") as string)
          .run(() => chat()),
      /a function of the script threw for call 1/,
    ],
  ])("%s", async (_, code, run, message) => {
    await expect(run()).rejects.toMatchObject({ name: "MockError", code, message: expect.stringMatching(message) });
  });

  test("with a call after its end, which reaches no network", async () => {
    const later = Promise.withResolvers<void>();
    const late = await mockLLM().run(() => ({ call: later.promise.then(() => chat()) }));
    later.resolve();
    await expect(late.call).rejects.toThrow(/It came after run\(\) had ended/);
  });
});

test("the error of the code under test stays as it is", async () => {
  const own = new Error("own");
  const failing = async (): Promise<never> => {
    await chat();
    throw own;
  };
  await expect(mockLLM().reply("one").reply("two").run(failing)).rejects.toBe(own);
});

test("servers of the test itself are reached, also by paths that a model could have", async () => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end(`own ${request.url}`));
  }).listen(0, "127.0.0.1");
  await vi.waitUntil(() => server.listening);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/messages`;
  const answers = await mockLLM().run(async () => [
    await (await fetch(url, { method: "POST", body: "{}" })).text(),
    (await axios.post<string>(url, { text: "hi" })).data,
  ]);
  server.close();
  expect(answers).toEqual(["own /api/messages", "own /api/messages"]);
});

test("what no script can be is said at once", async () => {
  expect(() => mockLLM().error(200)).toThrow("takes a status from 400 to 599, not 200");
  expect(() => mockLLM().reply("x", { times: 0 })).toThrow("times is 0");
  const once = mockLLM();
  await once.run(() => {});
  await expect(once.run(() => {})).rejects.toThrow("can be called once");
});
