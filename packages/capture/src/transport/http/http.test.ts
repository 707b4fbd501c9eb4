import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { within } from "../../run/context.ts";
import type { Step } from "../../span/step.ts";
import type { ExchangeDraft } from "../../span/step-content.ts";
import { answer, pause, type Program, programs } from "./http-programs.test.fixture.ts";
import { installHttp } from "./http.ts";
import { recordedRun, servedRun } from "../served-run.test.fixture.ts";

let undo: () => void;
let server: http.Server;
let port = 0;

beforeAll(async () => {
  undo = installHttp();
  server = http.createServer((req, res) => void answer(req, res));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  undo();
  server.closeAllConnections();
  server.close();
});

interface Played {
  said: string[];
  drafts: ExchangeDraft[];
  steps: Step[];
  events: string;
}

async function plainly(program: Program): Promise<string[]> {
  const said: string[] = [];
  await program(port, (line) => void said.push(line));
  return said;
}

async function recorded(program: Program): Promise<Played> {
  const said: string[] = [];
  const { run, steps } = recordedRun();
  await within(run.frame, () => program(port, (line) => void said.push(line)));
  return { said, steps, drafts: steps.map((s) => s.exchange as ExchangeDraft), events: run.journal.cut().events };
}

/** With every socket refused. */
async function replayed(
  program: Program,
  of: Played,
): Promise<Played & { left: number; late: unknown[]; sockets: number }> {
  const said: string[] = [];
  const { run, steps, left, late } = servedRun(of.events, of.drafts);
  const { connect } = net.Socket.prototype;
  let sockets = 0;
  net.Socket.prototype.connect = function (this: net.Socket) {
    sockets++;
    return this.destroy(new Error("refused"));
  } as typeof connect;
  try {
    const hangs = pause(5000).then(() => said.push(`the replay hangs before ${JSON.stringify(left().slice(0, 3))}`));
    await Promise.race([hangs, within(run.frame, () => program(port, (line) => void said.push(line)))]);
  } finally {
    net.Socket.prototype.connect = connect;
  }
  return {
    said,
    steps,
    drafts: steps.map((s) => s.exchange as ExchangeDraft),
    events: run.journal.cut().events,
    left: left().length,
    late,
    sockets,
  };
}

/** What the network cuts into pieces at will. */
function joined(lines: string[]): string[] {
  const out: string[] = [];
  for (const line of lines) {
    const size = /^data (\d+)$/.exec(line)?.[1];
    const before = /^data (\d+)$/.exec(out.at(-1) ?? "")?.[1];
    if (size !== undefined && before !== undefined) out[out.length - 1] = `data ${Number(before) + Number(size)}`;
    else out.push(line);
  }
  return out;
}

describe.each(Object.keys(programs))("%s", (name) => {
  const program = programs[name] as Program;

  test("looks the same with and without the recorder, and is replayed without a socket", async () => {
    const plain = await plainly(program);
    const record = await recorded(program);
    expect(joined(record.said)).toEqual(joined(plain));
    expect(record.steps.length).toBeGreaterThan(0);
    expect(record.steps.map((step) => step.exchange?.end)).not.toContain(null);
    const replay = await replayed(program, record);
    expect(replay.said).toEqual(record.said);
    expect(replay.sockets).toBe(0);
    expect(replay.left).toBe(0);
    expect(replay.events).toBe(record.events);
    expect(
      replay.drafts.map((d) => [d.end, d.response, Buffer.concat(d.chunks).toString("latin1"), d.error?.message]),
    ).toEqual(
      record.drafts.map((d) => [
        d.end,
        d.response,
        Buffer.concat(d.chunks.filter((_, n) => d.cuts[n]?.[2] !== -1)).toString("latin1"),
        d.error?.message,
      ]),
    );
  });
});
