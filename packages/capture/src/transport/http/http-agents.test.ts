import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import http from "node:http";
import https from "node:https";
import { expect, test } from "vitest";
import { here, within } from "../../run/context.ts";
import { drafts, eachInstalled, listen, text } from "./http-loopback.test.fixture.ts";
import { recordedRun, servedRun } from "../served-run.test.fixture.ts";

eachInstalled();

test("https: the agent sees a secure socket, and the bytes of both sides are the server's", async () => {
  const psk = { identity: "me", psk: Buffer.alloc(32, 7) };
  const secure = { ciphers: "PSK", maxVersion: "TLSv1.2" as const };
  const bodies: string[] = [];
  const server = https.createServer({ ...secure, pskCallback: () => psk.psk }, (req, res) => {
    req.on("data", (d) => bodies.push(String(d)));
    req.on("end", () => res.end("secret answer"));
  });
  const port = await listen(server);
  const program = async (): Promise<string[]> => {
    const options = {
      ...secure,
      pskCallback: () => psk,
      checkServerIdentity: () => undefined,
      host: "127.0.0.1",
      port,
      method: "POST",
      agent: false,
    };
    const req = https.request(options as https.RequestOptions);
    const said: string[] = [];
    req.on("socket", (s) => {
      said.push(`${s.connecting} ${(s as unknown as { encrypted: boolean }).encrypted}`);
      s.on("secureConnect", () => said.push("secureConnect"));
    });
    req.end("secret question");
    said.push(await text(req));
    return said;
  };
  const { run, steps } = recordedRun();
  const said = await within(run.frame, program);
  expect(said).toEqual(["true true", "secureConnect", "200 secret answer"]);
  expect(bodies).toEqual(["secret question"]);
  expect(steps[0]?.exchange?.url).toBe(`https://127.0.0.1:${port}/`);
  expect(String(steps[0]?.exchange?.requestBody)).toBe("secret question");
  server.close();
  server.closeAllConnections();
  const served = servedRun(run.journal.cut().events, drafts(steps));
  expect(await within(served.run.frame, program)).toEqual(said);
  expect(served.late).toHaveLength(1);
});

test("headers go out and come in as they were written, and nothing is sent twice", async () => {
  const raw: string[][] = [];
  const port = await listen(
    http.createServer((req, res) => {
      raw.push(req.rawHeaders);
      res.end("ok");
    }),
  );
  const created: unknown[] = [];
  const note = (m: unknown): void => void created.push(m);
  subscribe("http.client.request.created", note);
  const program = (): Promise<string> => {
    const req = http.request({
      host: "127.0.0.1",
      port,
      method: "POST",
      headers: { "X-MiXed": "1", accept: ["a", "b"] },
      agent: false,
    });
    req.setHeader("Late", "yes");
    req.end("body");
    return text(req);
  };
  await program();
  const { run, steps } = recordedRun();
  await within(run.frame, program);
  unsubscribe("http.client.request.created", note);
  expect(raw).toHaveLength(2);
  expect(raw[1]).toEqual(raw[0]);
  expect(steps[0]?.exchange?.requestHeaders.flat()).toEqual(raw[0]);
  expect(created).toHaveLength(2);
});

test("an agent that finds its socket later and rewrites the request is served as without us", async () => {
  const paths: string[] = [];
  const port = await listen(
    http.createServer((req, res) => {
      paths.push(req.url ?? "");
      res.end(req.headers["x-proxy"]);
    }),
  );
  class Rewriting extends http.Agent {
    addRequest(
      req: http.ClientRequest & { _header: string | null; outputData: { data: string }[]; _implicitHeader(): void },
      options: object,
    ): void {
      setTimeout(() => {
        req._header = null;
        req.path = "http://elsewhere/x";
        req.setHeader("x-proxy", "yes");
        req._implicitHeader();
        const first = req.outputData[0];
        if (first !== undefined) first.data = String(req._header);
        (http.Agent.prototype as unknown as { addRequest(...a: unknown[]): void }).addRequest.call(this, req, options);
      }, 5);
    }
  }
  const program = (): Promise<string> =>
    text(http.get({ host: "127.0.0.1", port, path: "/x", agent: new Rewriting() }));
  const plain = await program();
  const { run, steps } = recordedRun();
  expect(await within(run.frame, program)).toBe(plain);
  expect(paths).toEqual(["http://elsewhere/x", "http://elsewhere/x"]);
  const served = servedRun(run.journal.cut().events, drafts(steps));
  expect(await within(served.run.frame, program)).toBe(plain);
});

test("an upgrade is left alone", async () => {
  const server = http.createServer();
  server.on(
    "upgrade",
    (_, socket) => void socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhi"),
  );
  const port = await listen(server);
  const { run, steps } = recordedRun();
  const head = await within(
    run.frame,
    () =>
      new Promise<string>((resolve) => {
        http
          .get({ host: "127.0.0.1", port, agent: false, headers: { Connection: "Upgrade", Upgrade: "x" } })
          .on("upgrade", (_res, socket, first) => {
            socket.destroy();
            resolve(String(first));
          });
      }),
  );
  expect(head).toBe("hi");
  expect(steps).toHaveLength(0);
});

test("handlers run in the context of the call, the agent's own stores included; sockets run in none", async () => {
  const port = await listen(http.createServer((_, res) => res.end("ok")));
  const own = new AsyncLocalStorage<string>();
  const { run } = recordedRun();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const stores: unknown[] = [];
  await within(run.frame, () =>
    Promise.all(
      ["a", "b"].map((name) =>
        own.run(name, async () => {
          const req = http.get({ host: "127.0.0.1", port, agent });
          req.on("socket", () => stores.push(own.getStore(), here()?.run === run));
          await text(req);
          stores.push(own.getStore(), here()?.run === run);
        }),
      ),
    ),
  );
  agent.destroy();
  expect(stores.filter((s) => s === false || s === undefined)).toEqual([]);
  expect(stores.filter((s) => s === "a")).toHaveLength(2);
});

test("a request shows its agent as ever, in a run and outside", async () => {
  const port = await listen(http.createServer((_, res) => res.end("ok")));
  const agent = new http.Agent();
  const req = http.get({ host: "127.0.0.1", port, agent });
  expect(Object.getOwnPropertyDescriptor(req, "agent")).toEqual({
    value: agent,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  await text(req);
  const { run } = recordedRun();
  const keys = within(run.frame, () => {
    const watched = http.get({ host: "127.0.0.1", port, agent });
    void text(watched);
    expect(Reflect.get(watched, "agent")).toBe(agent);
    return Object.keys(watched);
  });
  const ours = http.get({ host: "127.0.0.1", port, agent });
  const plainKeys = Object.keys(ours);
  await text(ours);
  expect(keys).toEqual(plainKeys);
  expect("agent" in http.ClientRequest.prototype).toBe(true);
});
