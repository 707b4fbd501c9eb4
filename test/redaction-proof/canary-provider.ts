import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32, gzipSync } from "node:zlib";

export type Plan = Readonly<Record<string, readonly string[]>>;

/** A provider on loopback that puts values of a plan into its answers, where the `x-want` header says. */
export async function startCanaryProvider(plan: Plan): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => answer(plan, request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  };
}

function answer(plan: Plan, request: IncomingMessage, response: ServerResponse): void {
  const [name = "", at = "0"] = String(request.headers["x-want"] ?? "").split(":");
  const value = plan[name]?.[Number(at)];
  if (value === undefined) return json(response, completion("fine"), mirrored(request));
  const pieces = value.match(/.{1,3}/g) ?? [];
  switch (name) {
    case "answer.stream":
      return events(
        response,
        ["ask ", ...pieces, " soon"].map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
      );
    case "answer.stream-arguments":
      return events(
        response,
        ['{"who":"', ...pieces, '"}'].map((partial_json) => ({
          type: "content_block_delta",
          index: 0,
          delta: { type: "input_json_delta", partial_json },
        })),
      );
    case "answer.binary-stream":
      response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
      response.end(Buffer.concat(["ask ", ...pieces].map((text) => frame(JSON.stringify({ delta: { text } })))));
      return;
    case "answer.lines":
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.end(
        ["ask ", ...pieces].map((text) => `${JSON.stringify({ message: { content: text }, done: false })}\n`).join(""),
      );
      return;
    case "answer.gzip":
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(completion(value)));
      return;
    case "answer.header":
      return json(response, completion("fine"), {
        "x-owner": value,
        link: `<https://h.example/?u=${encodeURIComponent(value)}>`,
      });
    case "answer.cookie":
      return json(response, completion("fine"), { "set-cookie": `session=${value}; Path=/; HttpOnly` });
    case "answer.reason":
      response.statusMessage = `Hello ${value}`;
      return json(response, completion("fine"));
    case "answer.error":
      response.statusCode = 400;
      return json(
        response,
        JSON.stringify({ error: { message: `no access for ${value}`, type: "invalid_request_error" } }),
      );
    case "answer.octets":
      response.writeHead(200, { "content-type": "application/x-protobuf" });
      response.end(
        Buffer.concat([Buffer.from([8, 0x96, 1, 0xff, 0x12]), Buffer.from(` ${value} `), Buffer.from([0xc0])]),
      );
      return;
    default:
      return json(response, completion(`as you said: ${value}`));
  }
}

/** The request's headers that `x-mirror` names. */
function mirrored({ headers }: IncomingMessage): Record<string, string> {
  const names = String(headers["x-mirror"] ?? "").split(",");
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

const completion = (content: string): string =>
  JSON.stringify({
    id: "chatcmpl-1",
    model: "echo",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  });

function json(response: ServerResponse, body: string, headers: Record<string, string> = {}): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader("content-type", "application/json");
  response.end(body);
}

function events(response: ServerResponse, all: readonly unknown[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of all) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end("data: [DONE]\n\n");
}

/** One message of a binary event stream. */
function frame(payload: string): Buffer {
  const name = ":event-type";
  const kind = "contentBlockDelta";
  const head = Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([7, 0, kind.length]),
    Buffer.from(kind),
  ]);
  const body = Buffer.from(payload);
  const out = Buffer.alloc(16 + head.length + body.length);
  out.writeUInt32BE(out.length, 0);
  out.writeUInt32BE(head.length, 4);
  out.writeUInt32BE(crc32(out.subarray(0, 8)), 8);
  head.copy(out, 12);
  body.copy(out, 12 + head.length);
  out.writeUInt32BE(crc32(out.subarray(0, out.length - 4)), out.length - 4);
  return out;
}
