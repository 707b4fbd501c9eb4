import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { grpcPrefix, rawAnswer, rawCall } from "./raw-grpc.test.fixture.ts";
import { newKey, traceBytes } from "./receiver.test.fixture.ts";

const MB = 2 ** 20;
const SIZE = 55 * MB;
const SENDERS = 60;

const folder = mkdtempSync(join(tmpdir(), "grpc-memory-"));
let child: ChildProcess | null = null;
const sessions: ClientHttp2Session[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  if (child?.exitCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  rmSync(folder, { recursive: true, force: true });
});

async function start(env: NodeJS.ProcessEnv): Promise<{ grpcPort: number; pid: number }> {
  const program = join(import.meta.dirname, "receive-only.test.fixture.ts");
  child = spawn(process.execPath, ["--conditions=@reenact/source", program, join(folder, "journal")], {
    env: { ...process.env, NODE_OPTIONS: "", RECEIVE_GRPC: "1", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  return JSON.parse(line.toString()) as { grpcPort: number; pid: number };
}

/** Bytes: what a process has in memory, and the most that it ever had. */
function memoryOf(pid: number): { now: number; most: number } {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+([0-9]+)`, "m").exec(text)![1]) * 1024;
  return { now: of("VmRSS"), most: of("VmHWM") };
}

const PIECE = Buffer.alloc(64 * 1024, 0x5a);

/** All of a message but its last bytes, as fast as it is taken; then nothing. Gives what has been written. */
function unfinished(stream: ClientHttp2Stream): () => number {
  let sent = 0;
  stream.write(grpcPrefix(SIZE));
  const go = () => {
    while (!stream.destroyed && sent < SIZE - PIECE.length) {
      sent += PIECE.length;
      if (!stream.write(PIECE)) return void stream.once("drain", go);
    }
  };
  go();
  return () => sent;
}

const statusOf = async (stream: ClientHttp2Stream) => (await rawAnswer(stream)).grpc;

test.each([
  ["no keys exist", false, 1],
  ["no keys exist, a connection each", false, SENDERS],
  ["keys exist, and none is sent", true, 1],
])(
  "60 unfinished messages of 55 MB stay below 100 MB, and others get through: %s",
  async (_, withKeys, connections) => {
    const ingest = newKey();
    const file = join(folder, "keys.json");
    mkdirSync(folder, { recursive: true });
    if (withKeys)
      writeFileSync(
        file,
        JSON.stringify({ keys: [{ name: "i", sha256: ingest.sha256, scopes: ["ingest"], tenant: "t" }] }),
      );
    const { grpcPort, pid } = await start(withKeys ? { RECEIVE_KEYS: file } : {});
    const authority = `http://127.0.0.1:${grpcPort}`;
    for (let at = 0; at < connections; at++) {
      const session = connect(authority);
      session.on("error", () => {});
      sessions.push(session);
    }
    await sleep(500);
    const idle = memoryOf(pid).now;
    const streams = Array.from({ length: SENDERS }, (__, at) => rawCall(sessions[at % connections]!));
    const ends = streams.map(statusOf);
    const sent = streams.map(unfinished);
    await sleep(4000);

    const good = connect(authority);
    sessions.push(good);
    for (const size of [1000, 2 * MB]) {
      const body = traceBytes(size);
      const stream = rawCall(good, withKeys ? { authorization: `Bearer ${ingest.key}` } : {});
      stream.end(Buffer.concat([grpcPrefix(body.length), body]));
      expect(await statusOf(stream)).toBe(0);
    }
    const { most } = memoryOf(pid);
    const over = (most - idle) / MB;
    process.stdout.write(
      `60 unfinished messages: ${over.toFixed(0)} MB over idle, ${(sent.reduce((sum, each) => sum + each(), 0) / MB).toFixed(0)} MB written\n`,
    );
    expect(over).toBeLessThan(100);
    if (withKeys) expect(await Promise.all(ends)).toEqual(streams.map(() => 16));
  },
  60_000,
);
