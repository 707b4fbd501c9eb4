// Asks models of providers whose requests differ, each over its own client: Bedrock, which signs nothing with a key, by undici.
import { GoogleGenAI } from "@google/genai";
import { CohereClientV2 } from "cohere-ai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { request } from "undici";

const base = process.env.PROVIDER_URL;
const key = process.env.OPENAI_API_KEY;
const said = [];

const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: base } });
const config = { systemInstruction: "Be kind.", temperature: 1 };
said.push((await google.models.generateContent({ model: "m", contents: "one", config })).text);

const { body: converse } = await request(`${base}/model/m/converse`, {
  method: "POST",
  query: { trace: "1" },
  headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
  body: JSON.stringify({ system: [{ text: "Be kind." }], messages: [{ role: "user", content: [{ text: "two" }] }] }),
});
said.push((await converse.json()).output.message.content[0].text);

const system = { role: "system", content: "Be kind." };
const cohere = new CohereClientV2({ token: key, environment: base, maxRetries: 0 });
const { message } = await cohere.chat({ model: "m", messages: [system, { role: "user", content: "three" }] });
said.push(message.content[0].text);

const ollama = new Ollama({ host: base });
said.push((await ollama.chat({ model: "m", messages: [system, { role: "user", content: "four" }] })).message.content);

const openai = new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0 });
const { output_text: last } = await openai.responses.create({ model: "m", instructions: "Be kind.", input: "five" });
said.push(last);
console.log(JSON.stringify(said));
