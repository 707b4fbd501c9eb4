import { randomBytes } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { otlpJson } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterEach, expect, test } from "vitest";
import { golden, isRoot, listed, madeRun } from "../services/made-runs.ts";
import { type RunningCollector, startCollector, until } from "./running-collector.ts";

let collector: RunningCollector | null = null;
afterEach(async () => {
  await collector?.stop();
  collector = null;
});

const PROTOBUF = { "content-type": "application/x-protobuf" };
const newRun = () => randomBytes(16).toString("hex");

async function post(body: Uint8Array | string, headers: Record<string, string> = PROTOBUF): Promise<number> {
  const given = typeof body === "string" ? body : Buffer.from(body);
  const answer = await fetch(`${collector!.address.http}/v1/traces`, { method: "POST", headers, body: given });
  await answer.arrayBuffer();
  return answer.status;
}

const envelopeOf = (run: string) =>
  until(`run ${run}`, async () => {
    const answer = await fetch(`${collector!.address.http}/api/v1/runs/${run}/envelope`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return answer.status === 200 && readEnvelope(bytes);
  });

test("runs in every encoding, in pieces, together and twice are each sealed once and whole; what is no request is refused", async () => {
  collector = await startCollector();
  const [plain, zipped, packed, json, twice] = [newRun(), newRun(), newRun(), newRun(), newRun()];
  for (const [run, encoding, pack] of [
    [zipped, "gzip", gzipSync],
    [packed, "zstd", zstdCompressSync],
  ] as const)
    expect(await post(pack(Buffer.concat(madeRun(run))), { ...PROTOBUF, "content-encoding": encoding })).toBe(200);
  const text = JSON.stringify(otlpJson(Buffer.concat(madeRun(json))));
  expect(await post(text, { "content-type": "application/json" })).toBe(200);
  // the piece with the root comes last, and one request has spans of two runs
  const pieces = [plain, twice].map((run) => madeRun(run).toSorted((a, b) => Number(isRoot(a)) - Number(isRoot(b))));
  for (const body of pieces[1]!.filter((each) => !isRoot(each))) expect(await post(body)).toBe(200);
  expect(await post(Buffer.concat(pieces.flat()))).toBe(200);

  expect(await post(randomBytes(64))).toBe(400);
  expect(await post("{", { "content-type": "application/json" })).toBe(400);
  expect(await post("a span", { "content-type": "text/plain" })).toBe(415);

  const runs = [plain, zipped, packed, json, twice];
  for (const run of runs) {
    const { complete, header, spans } = await envelopeOf(run);
    expect({ complete, revision: header.revision, spans: spans.length }).toEqual({
      complete: true,
      revision: 0,
      spans: golden.spans.length,
    });
  }
  expect((await listed(collector.address.http)).toSorted()).toEqual(runs.toSorted());
});
