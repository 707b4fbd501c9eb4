// Servers of several frameworks and styles that wrap nothing; each asks a model. The first argument names the style, the last one the
// file for the address.
import { createServer, request as plainRequest } from "node:http";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { sayAddress } from "./serve.mjs";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";

const [, , style = "", variant = ""] = process.argv;
const address = process.argv.at(-1);
const changed = variant === "changed" ? " (changed)" : "";

const ask = (content, more = {}, options = {}) =>
  fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content }], ...more }),
    ...options,
  });
const answered = async (...args) => (await (await ask(...args)).json()).choices[0].message.content;
const listening = (server) => sayAddress(server, address);
/** A server of plain handlers that ends at `/stop`. */
const plain = (handle) => {
  const server = createServer((request, response) => {
    if (request.url === "/stop") return void response.end("", () => process.exit(0));
    return handle(request, response);
  });
  server.listen(0, "127.0.0.1", () => listening(server));
};

const STYLES = {
  async express() {
    const express = createRequire(import.meta.url)("express");
    const app = express();
    const log = [];
    app.use((request, response, next) => {
      const began = Date.now();
      response.on("finish", () => log.push([request.path, response.statusCode, Date.now() - began]));
      next();
    });
    app.use(express.json());
    app.get("/stop", (request, response) => void response.end("", () => process.exit(0)));
    const chat = (request, response, next) => {
      response.cookie("seen", crypto.randomUUID());
      const { session } = request.params;
      const answer = answered(request.body.message);
      answer.then((text) => response.json({ session, answer: text + changed }), next);
    };
    const failure = (request, response, next) => {
      const failed = () => next(new Error(`the desk is closed${changed}`));
      answered(request.body.message).then(failed, next);
    };
    app.post("/chat/:session", chat);
    app.post("/late-failure", failure);
    app.use(
      (error, request, response, _next) => void response.status(error.status ?? 500).json({ error: error.message }),
    );
    const server = app.listen(0, "127.0.0.1", () => listening(server));
  },
  async hono() {
    const { Hono } = await import("hono");
    const { serve } = await import("@hono/node-server");
    const app = new Hono();
    app.get("/stop", () => process.exit(0));
    app.post("/chat", async (c) => {
      const { message } = await c.req.json();
      return c.json({ answer: (await answered(message)) + changed, at: Date.now() });
    });
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => listening(server));
  },
  /** keeps each conversation in memory, and requires a token */
  chat() {
    const said = new Map();
    plain(async (request, response) => {
      if (request.headers.authorization !== "Bearer let-me-in-0123456789") return response.writeHead(401).end();
      const { session, message } = JSON.parse(await text(request));
      const turns = [...(said.get(session) ?? []), message];
      said.set(session, turns);
      response.end((await answered(turns.join(" / "))) + changed);
    });
  },
  /** listeners of the request, and no promise */
  callbacks() {
    plain((request, response) => {
      const parts = [];
      request.on("data", (part) => parts.push(part));
      request.on("end", () => {
        const body = JSON.stringify({
          model: "scn-ok",
          messages: [{ role: "user", content: `${Buffer.concat(parts)}` }],
        });
        const { hostname, port } = new URL(process.env.PROVIDER_URL);
        const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
        const asked = plainRequest(
          { hostname, port, path: "/v1/chat/completions", method: "POST", headers },
          (answer) => {
            answer.setEncoding("utf8");
            let whole = "";
            answer.on("data", (part) => (whole += part));
            answer.on("end", () => response.end(JSON.parse(whole).choices[0].message.content + changed));
          },
        );
        asked.end(body);
      });
    });
  },
  /** passes the model's stream on as server-sent events */
  events() {
    plain(async (request, response) => {
      const message = await text(request);
      response.writeHead(200, { "content-type": "text/event-stream" });
      const stream = await ask(message, { stream: true });
      for await (const part of stream.body) response.write(part);
      response.end(`data: ${changed}\n\n`);
    });
  },
  compressed() {
    plain(async (request, response) => {
      const content = await answered(await text(request));
      response.setHeader("content-encoding", "gzip");
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.end(JSON.stringify({ content: content + changed }));
    });
  },
  /** answers before it works */
  accepted() {
    plain(async (request, response) => {
      const message = await text(request);
      response.writeHead(202).end("accepted");
      await sleep(300);
      const first = await answered(message);
      await sleep(300);
      await answered(`${first}${changed}`);
    });
  },
  /** gives up the model's answer when its client goes away */
  cancelled() {
    plain(async (request, response) => {
      const message = await text(request);
      const controller = new AbortController();
      response.on("close", () => controller.abort());
      response.writeHead(200, { "content-type": "text/plain" });
      response.write(`${await answered(message)}\n`);
      try {
        const stream = await ask(`[[stream-slow]] ${message}`, { stream: true }, { signal: controller.signal });
        for await (const part of stream.body) response.write(part);
      } catch {
        await answered(`cancelled${changed}`);
      }
    });
  },
  crashes() {
    plain(async (request, response) => {
      const content = await answered(await text(request));
      response.write(content);
      setTimeout(() => {
        throw new Error(`crashed${changed}`);
      }, 10);
    });
  },
};

await STYLES[style]();
