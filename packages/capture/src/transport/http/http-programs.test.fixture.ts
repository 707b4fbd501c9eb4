import http from "node:http";
import net from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";

export type Say = (line: string) => void;
export type Program = (port: number, say: Say) => Promise<void>;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The server's side of the programs. */
export async function answer(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  req.on("error", () => {});
  try {
    for await (const part of req) parts.push(part as Buffer);
  } catch {
    return;
  }
  const body = Buffer.concat(parts).toString();
  res.sendDate = false;
  const path = req.url ?? "";
  if (path === "/length")
    return void res.writeHead(200, "Fine", { "X-Case": "Kept", "content-length": 11 }).end("hello world");
  if (path === "/empty") return void res.writeHead(204).end();
  if (path === "/none") return void res.writeHead(200, { "content-length": 0 }).end();
  if (path === "/echo") return void res.end(body);
  if (path === "/never") return;
  if (path === "/reset") return void req.socket.resetAndDestroy();
  if (path === "/hangup") return void req.socket.destroy();
  if (path === "/gzip")
    return void res.writeHead(200, { "content-encoding": "gzip" }).end(zlib.gzipSync("squeezed ".repeat(500)));
  if (path === "/bad") return void res.writeHead(503, { "retry-after": "0" }).end("x".repeat(5000));
  if (path === "/trailers") {
    res.writeHead(200, { trailer: "x-sum" });
    res.write("abc");
    res.addTrailers({ "x-sum": "3" });
    return void res.end();
  }
  if (path === "/garbage") return void req.socket.end("no http at all\r\n\r\n");
  if (path === "/close") {
    req.socket.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil ");
    await pause(10);
    return void req.socket.end("the end");
  }
  if (path === "/big") return void res.end(Buffer.alloc(1_000_000, "b"));
  res.writeHead(200, { "content-type": "text/event-stream", "X-Two": ["a", "b"] });
  for (let n = 0; n < 5; n++) {
    res.write(`data: ${n}\n\n`);
    await pause(4);
    if (path === "/cut" && n === 2) return void req.socket.destroy();
    if (path === "/cutreset" && n === 2) return void req.socket.resetAndDestroy();
  }
  res.end();
}

/** Every event that a client can see, in order. */
function watch(
  req: http.ClientRequest,
  say: Say,
  done: () => void,
  consume: (res: http.IncomingMessage) => void = (res) => void res.on("data", (d: Buffer) => say(`data ${d.length}`)),
): void {
  for (const name of ["finish", "abort", "timeout", "continue", "information"]) req.on(name, () => say(`req ${name}`));
  req.on("socket", (s: net.Socket) => say(`socket ${s instanceof net.Socket} ${s.destroyed}`));
  req.on("error", (e: NodeJS.ErrnoException) => say(`req error ${e.constructor.name} ${e.code} ${e.message}`));
  req.on("close", () => {
    say(`req close ${req.destroyed}`);
    done();
  });
  req.on("response", (res) => {
    say(`response ${res.statusCode} ${res.statusMessage} ${JSON.stringify(res.rawHeaders)} ${res.httpVersion}`);
    for (const name of ["end", "aborted", "close"]) res.on(name, () => say(`res ${name} complete=${res.complete}`));
    res.on("error", (e: NodeJS.ErrnoException) => say(`res error ${e.constructor.name} ${e.code} ${e.message}`));
    consume(res);
  });
}

function call(
  path: string,
  options: http.RequestOptions,
  write: (req: http.ClientRequest) => void,
  consume?: (res: http.IncomingMessage, say: Say, req: http.ClientRequest) => void,
): Program {
  return (p, say) =>
    new Promise<void>((resolve) => {
      const req = http.request({ host: "127.0.0.1", port: p, path, agent: false, ...options });
      watch(
        req,
        say,
        () => setTimeout(resolve, 30),
        consume === undefined ? undefined : (res) => consume(res, say, req),
      );
      write(req);
    });
}

const end = (req: http.ClientRequest): void => void req.end();
const take = async (res: http.IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of res) text += String(chunk);
  return text;
};

export const programs: Record<string, Program> = {
  "a body with a length": call("/length", {}, end),
  "no body": call("/empty", {}, end),
  "a body of length 0": call("/none", {}, end),
  HEAD: call("/length", { method: "HEAD" }, end),
  "a chunked stream": call("/stream", {}, end),
  "a POST in one piece": call("/echo", { method: "POST" }, (req) => void req.end("päyload")),
  "a POST in several writes": call("/echo", { method: "POST" }, (req) => {
    req.write("one ");
    req.write("74776f20", "hex");
    setImmediate(() => req.end(Buffer.from("three")));
  }),
  "a DELETE with a body": call(
    "/echo",
    { method: "DELETE", headers: { "content-length": 4 } },
    (req) => void req.end("gone"),
  ),
  "a POST that waits for 100": (p, say) =>
    new Promise((resolve) => {
      const req = http.request({
        host: "127.0.0.1",
        port: p,
        path: "/echo",
        method: "POST",
        agent: false,
        headers: { Expect: "100-continue", "content-length": 5 },
      });
      watch(req, say, () => setTimeout(resolve, 30));
      req.on("continue", () => req.end("later"));
    }),
  "a body until the connection ends": call("/close", {}, end),
  trailers: call("/trailers", {}, end),
  "a stream piped through gunzip": async (p, say) => {
    const req = http.get({
      host: "127.0.0.1",
      port: p,
      path: "/gzip",
      agent: false,
      headers: { "accept-encoding": "gzip" },
    });
    const closed = new Promise<void>((resolve) => req.on("close", resolve));
    const res = await new Promise<http.IncomingMessage>((resolve) => req.once("response", resolve));
    let n = 0;
    for await (const chunk of res.pipe(zlib.createGunzip())) n += (chunk as Buffer).length;
    say(`unzipped ${n} ${JSON.stringify(res.headers)}`);
    await closed;
  },
  "for await": call(
    "/stream",
    {},
    end,
    (res, say) => void take(res).then((text) => say(`text ${JSON.stringify(text)}`)),
  ),
  "a big body through a slow reader": async (p, say) => {
    const req = http.get({ host: "127.0.0.1", port: p, path: "/big", agent: false });
    const closed = new Promise<void>((resolve) => req.on("close", resolve));
    const res = await new Promise<http.IncomingMessage>((resolve) => req.once("response", resolve));
    let n = 0;
    for await (const chunk of res) {
      n += (chunk as Buffer).length;
      if (n % 5 === 0) await new Promise((r) => setImmediate(r));
    }
    say(`read ${n}`);
    await closed;
  },
  "connection reset before the head": call("/reset", {}, end),
  "hang-up before the head": call("/hangup", {}, end),
  "hang-up in the body": call("/cut", {}, end),
  "reset in the body": call("/cutreset", {}, end),
  "no HTTP": call("/garbage", {}, end),
  "connection refused": (_p, say) =>
    new Promise((resolve) => {
      const req = http.get({ host: "127.0.0.1", port: 1, agent: false });
      watch(
        req,
        (line) => say(line),
        () => setTimeout(resolve, 30),
      );
    }),
  "a time-out that aborts": call("/never", { timeout: 40 }, (req) => {
    req.on("timeout", () => req.destroy(new Error("too slow")));
    req.end();
  }),
  "setTimeout without an abort, then abort": call("/never", {}, (req) => {
    req.setTimeout(30, () => setTimeout(() => req.abort(), 5));
    req.end();
  }),
  "destroyed at once": call("/length", {}, (req) => void req.destroy()),
  "destroyed in the next turn": call("/never", {}, (req) => {
    req.end();
    setTimeout(() => req.destroy(), 20);
  }),
  "destroyed with an error": call("/never", {}, (req) => {
    req.end();
    setTimeout(() => req.destroy(new RangeError("mine")), 20);
  }),
  "aborted by a signal": (p, say) =>
    new Promise((resolve) => {
      const stop = new AbortController();
      const req = http.get({ host: "127.0.0.1", port: p, path: "/never", agent: false, signal: stop.signal });
      watch(req, say, () => setTimeout(resolve, 30));
      setTimeout(() => stop.abort(), 20);
    }),
  "response destroyed in the middle": call("/stream", {}, end, (res, say) => {
    let n = 0;
    res.on("data", (d: Buffer) => {
      say(`data ${d.length}`);
      if (++n === 2) res.destroy();
    });
  }),
  "request destroyed in the body": call("/stream", {}, end, (res, say, req) => {
    let n = 0;
    res.on("data", (d: Buffer) => {
      say(`data ${d.length}`);
      if (++n === 2) req.destroy(new Error("enough"));
    });
  }),
  "break out of for await": call("/stream", {}, end, (res, say) => {
    void (async () => {
      for await (const chunk of res) {
        say(String(chunk).trim());
        break;
      }
      say("broke off");
    })().catch((e: Error) => say(e.message));
  }),
  "pipeline of an upload and a download": async (p, say) => {
    const req = http.request({ host: "127.0.0.1", port: p, path: "/echo", method: "PUT", agent: false });
    const got = new Promise<http.IncomingMessage>((resolve) => req.once("response", resolve));
    await pipeline(Readable.from(["a".repeat(70_000), "b".repeat(70_000), "c"]), req);
    say("sent");
    say(`got ${(await take(await got)).length}`);
  },
  "nobody listens to the response": async (p, say) => {
    const req = http.get({ host: "127.0.0.1", port: p, path: "/length", agent: false });
    await new Promise<void>((resolve) => req.on("close", resolve));
    say("closed");
  },
  "keep-alive, one after the other": async (p, say) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (const path of ["/length", "/stream", "/empty"]) {
      await new Promise<void>((resolve) => {
        const req = http.request({ host: "127.0.0.1", port: p, path, agent });
        watch(req, say, () => setTimeout(resolve, 5));
        req.end();
      });
    }
    agent.destroy();
  },
  "keep-alive, all at once over two sockets": async (p, say) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
    await Promise.all(
      ["/length", "/stream", "/gzip", "/length", "/bad"].map(async (path, n) => {
        const req = http.get({ host: "127.0.0.1", port: p, path, agent });
        const res = await new Promise<http.IncomingMessage>((resolve) => req.once("response", resolve));
        say(`${n} ${res.statusCode}`);
        const text = await take(res);
        say(`${n} ${text.length}`);
      }),
    ).then(() => agent.destroy());
  },
  "headers as an array": call("/length", { headers: ["Host", "a.example", "X-B", "1", "x-b", "2"] as never }, end),
  createConnection: call(
    "/length",
    {
      agent: undefined,
      createConnection: (o) => net.connect({ port: o.port as number, host: "127.0.0.1" }),
    } as http.RequestOptions,
    end,
  ),
};
