import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ATTR, encodeResource, encodeScope, encodeTraces } from "@reenact/envelope";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeCursor } from "../spool/cursor.ts";
import { CLOSED, encodeFrame } from "../spool/frame.ts";
import { storeLayout } from "../config/store-layout.ts";
import { makeRoom } from "./make-room.ts";

/** No process has it. */
const DEAD = 2 ** 30;
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "room-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function root(run: string, status: string, flag?: string): Uint8Array {
  const span = {
    traceId: run,
    spanId: run.slice(0, 16),
    parentSpanId: null,
    name: "agent",
    kind: 1,
    startUnixNano: 1n,
    endUnixNano: 2n,
    attributes: { [ATTR.runId]: run, [ATTR.runStatus]: status, ...(flag !== undefined && { [ATTR.flag]: [flag] }) },
    droppedAttributesCount: 0,
    events: [],
    links: [],
    status: { code: 0 as const, message: "" },
    traceState: "",
    flags: 0,
  };
  const origin = { resource: encodeResource({}), resourceSchemaUrl: "", scope: encodeScope("t"), scopeSchemaUrl: "" };
  return encodeTraces(span, origin);
}

/** A file of 10,000 bytes and a little, so many seconds old. `status` null: it did not live to write one. */
function file(
  name: string,
  status: string | null,
  age: number,
  { pid = DEAD, to = true, flag }: { pid?: number; to?: boolean; flag?: string } = {},
): void {
  const layout = storeLayout(folder);
  mkdirSync(layout.spool, { recursive: true });
  const run = name.padEnd(32, "0");
  const opening = { pid, ...(to && { to: [{ url: "http://away", view: "record" }] }) };
  const frames = [
    encodeFrame("open", JSON.stringify(opening)),
    encodeFrame("started", JSON.stringify({ id: run })),
    encodeFrame("settle", "x".repeat(10_000)),
    ...(status === null ? [] : [encodeFrame("span", `${run}\n`, root(run, status, flag)), CLOSED]),
  ];
  const path = join(layout.spool, `${name}.spool`);
  writeFileSync(path, Buffer.concat(frames));
  const then = new Date(Date.now() - age * 1000);
  utimesSync(path, then, then);
}

const left = () => readdirSync(storeLayout(folder).spool).toSorted();

test("over the bound the oldest files whose runs ended well go, never one that failed or died, lives, or is not to be sent", () => {
  file("aa", "failed", 90);
  file("bb", null, 80);
  file("cc", "ok", 70);
  file("dd", "ok", 60, { pid: process.pid });
  file("ee", "ok", 50, { to: false });
  file("ff", "ok", 40);
  file("0f", "ok", 30);
  const layout = storeLayout(folder);
  expect(makeRoom(layout, "me", 200_000)).toEqual({ runs: 0 });
  expect(makeRoom(layout, "me", 80_000)).toEqual({ runs: 1 });
  expect(left()).toEqual(["0f.spool", "aa.spool", "bb.spool", "dd.spool", "ee.spool", "ff.spool"]);
  expect(makeRoom(layout, "0f", 1000)).toEqual({ runs: 1 });
  expect(left()).toEqual(["0f.spool", "aa.spool", "bb.spool", "dd.spool", "ee.spool"]);
});

test("a flagged run is not dropped, though it ended well", () => {
  file("aa", "ok", 90, { flag: "for the audit" });
  file("bb", "ok", 10);
  expect(makeRoom(storeLayout(folder), "me", 10_000)).toEqual({ runs: 1 });
  expect(left()).toEqual(["aa.spool"]);
});

test("what is in the local store already goes before all others, and is no loss", () => {
  file("aa", "ok", 90);
  file("bb", "failed", 10);
  const layout = storeLayout(folder);
  writeCursor(layout, "bb", { sent: {}, sealed: true, local: false });
  expect(makeRoom(layout, "me", 20_000)).toEqual({ runs: 0 });
  expect(left()).toEqual(["aa.spool"]);
});
