import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTR } from "../schema/attributes.ts";
import { EnvelopeError } from "../envelope-error.ts";
import { readEnvelope } from "../file/read-envelope.ts";
import { writeEnvelope } from "../file/write-envelope.ts";
import type { RetentionClass } from "../schema/manifest.ts";
import { encodeTraces } from "../otlp/encode-traces.ts";
import { encodeResource, encodeScope } from "../otlp/resource.ts";
import { type ScannedSpan, scanTraces } from "../otlp/scan-traces.ts";
import { PackBuilder } from "./pack-builder.ts";
import { PACK_TRAILER, packFooterLength, readPackIndex } from "./pack-footer.ts";
import { packDay, packKey, packName, parsePackKey } from "./pack-name.ts";
import { readPackedEnvelope, reclassEnvelope, walkPack } from "./read-pack.ts";

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
const place = { class: "short", tenant: "acme", day: "2026-11-20" } as const;
const receipt = { first: 1_763_640_000_000, last: 1_763_640_001_000 };

function spanOf(run: number, at: number, text: string): ScannedSpan {
  const origin = {
    resource: encodeResource({ "service.name": "shop" }),
    resourceSchemaUrl: "",
    scope: encodeScope("reenact"),
    scopeSchemaUrl: "",
  };
  const span = {
    traceId: hex(run, 32),
    spanId: hex(at + 1, 16),
    parentSpanId: null,
    name: "step",
    kind: 1,
    startUnixNano: BigInt(1e3 + at),
    endUnixNano: 2000n,
    droppedAttributesCount: 0,
    events: [],
    links: [],
    attributes: {
      [ATTR.runId]: hex(run, 32),
      text,
    },
    status: {
      code: 1 as const,
      message: "",
    },
    traceState: "",
    flags: 0,
  };
  return scanTraces(encodeTraces(span, origin))[0]!;
}

function packOf(texts: readonly (readonly string[])[], to: RetentionClass = "short") {
  const builder = new PackBuilder({ ...place, class: to });
  const parts = texts.map((list, run) => {
    const spans = list.map((text, at) => spanOf(run + 1, at, text));
    const { bytes, header, manifest } = writeEnvelope({ spans, class: to });
    builder.add({ header, manifest, length: bytes.length, receipt, flags: run === 0 ? ["odd"] : [] });
    return bytes;
  });
  const finished = builder.finish();
  return { ...finished, pack: Buffer.concat([...parts, finished.footer]), parts };
}

const texts = fc.array(fc.array(fc.string({ maxLength: 200 }), { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 8,
});

test("every run of a pack is read by its index, from its own range alone", () => {
  fc.assert(
    fc.property(texts, (list) => {
      const { pack, parts, name } = packOf(list);
      const index = readPackIndex(pack.subarray(-packFooterLength(pack.subarray(-PACK_TRAILER))), pack.length);
      expect(index.runs).toHaveLength(list.length);
      expect(name).toBe(packName(index.runs.toReversed()));
      for (const [n, entry] of index.runs.entries()) {
        const bytes = pack.subarray(entry.offset, entry.offset + entry.length);
        expect(Buffer.compare(bytes, parts[n]!)).toBe(0);
        const envelope = readPackedEnvelope(bytes, entry);
        expect(envelope.spans.map(({ span }) => span.attributes["text"])).toEqual(list[n]);
      }
      const walked = walkPack(pack);
      expect(walked.error).toBeNull();
      expect(walked.envelopes.map(({ offset, length }) => ({ offset, length }))).toEqual(
        index.runs.map(({ offset, length }) => ({ offset, length })),
      );
    }),
    { numRuns: 40 },
  );
});

test("zstd -dc reads a pack to its end", () => {
  const { pack } = packOf([["one"], ["two", "three"]]);
  const folder = mkdtempSync(join(tmpdir(), "reenact-pack-"));
  try {
    writeFileSync(join(folder, "pack"), pack);
    const { status, stdout, error } = spawnSync("zstd", ["-dc", join(folder, "pack")]);
    // Not every machine has the program; where it is, it must not complain.
    if ((error as NodeJS.ErrnoException | undefined)?.code === "ENOENT") return;
    expect(status).toBe(0);
    for (const text of ["one", "two", "three"]) expect(stdout.includes(text)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a flipped bit anywhere gives a named error, never other contents", () => {
  const { pack } = packOf([["one"], ["two", "three"]]);
  const read = (bytes: Buffer) => {
    const index = readPackIndex(bytes, bytes.length);
    return index.runs.map((entry) => {
      const envelope = readPackedEnvelope(bytes.subarray(entry.offset, entry.offset + entry.length), entry);
      return [envelope.header, envelope.manifest, envelope.spans.map(({ span }) => span.attributes["text"])];
    });
  };
  const whole = read(pack);
  let [found, flips] = [0, 0];
  // One bit of every byte; all of them at full size.
  const step = process.env["TEST_SCALE"] === "full" ? 1 : 9;
  for (let bit = 0; bit < pack.length * 8; bit += step) {
    flips++;
    const flipped = Buffer.from(pack);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    try {
      // Bits that say nothing (unused ones, the class in a header) may pass, if what is read is the same.
      const seen = JSON.stringify(read(flipped)).replaceAll(/"class":"[^"]*"/g, '"class":"short"');
      expect(seen).toBe(JSON.stringify(whole));
    } catch (error) {
      if (!(error instanceof EnvelopeError)) throw error;
      found++;
    }
  }
  expect(found).toBeGreaterThan(flips * 0.95);
});

test("a pack that was cut anywhere has no index, and gives the envelopes before the cut", () => {
  const { pack, index } = packOf([["one"], ["two", "three"], ["four"]]);
  for (let length = 0; length < pack.length; length++) {
    const cut = pack.subarray(0, length);
    expect(() => readPackIndex(cut, length), `${length}`).toThrow(EnvelopeError);
    const { envelopes, error } = walkPack(cut);
    const whole = index.runs.filter((entry) => entry.offset + entry.length <= length);
    expect(envelopes).toHaveLength(whole.length);
    if (length <= index.runs.at(-1)!.offset + index.runs.at(-1)!.length) expect(error).toBeInstanceOf(EnvelopeError);
  }
});

test.each<[string, (pack: Buffer) => Buffer, string]>([
  ["no pack at all", () => Buffer.from("hello, this is some text of 32 by"), "NOT_A_PACK"],
  ["too short", () => Buffer.from("RNCP"), "NOT_A_PACK"],
  ["an envelope", (pack) => pack.subarray(0, readPackIndex(pack).runs[0]!.length), "NOT_A_PACK"],
  ["a newer version", (pack) => (pack.writeUInt16LE(2, pack.length - 8), pack), "NEWER_VERSION"],
  ["an index as long as no pack", (pack) => (pack.writeUInt32LE(1e9, pack.length - 32), pack), "DAMAGED"],
  ["an index that grows without end", (pack) => (pack.writeUInt32LE(0xffffffff, pack.length - 28), pack), "TOO_LARGE"],
])("refuses %s", (_, spoil, code) => {
  const spoiled = spoil(packOf([["one"], ["two"]]).pack);
  expect(() => readPackIndex(spoiled, spoiled.length)).toThrow(expect.objectContaining({ code }));
});

test("an envelope under another entry is refused", () => {
  const { pack, index } = packOf([["one"], ["two"]]);
  const [first, second] = index.runs;
  const bytes = pack.subarray(first!.offset, first!.offset + first!.length);
  expect(() => readPackedEnvelope(bytes, second!)).toThrow(expect.objectContaining({ code: "BAD_HEADER" }));
});

test("a run moves to another class with its frames as they are", () => {
  const { parts } = packOf([["one"]]);
  const { bytes, header } = reclassEnvelope(parts[0]!, "keep");
  const [before, after] = [readEnvelope(parts[0]!), readEnvelope(bytes)];
  expect(header.class).toBe("keep");
  expect(after.header).toEqual({ ...before.header, class: "keep" });
  expect(after.manifest).toEqual(before.manifest);
});

test("a builder takes each run and revision once, and only of its class", () => {
  const { parts } = packOf([["one"]]);
  const { header, manifest } = readEnvelope(parts[0]!);
  const builder = new PackBuilder(place);
  const envelope = { header, manifest, length: 10, receipt };
  builder.add(envelope);
  expect(() => builder.add(envelope)).toThrow(EnvelopeError);
  expect(() => new PackBuilder({ ...place, class: "keep" }).add(envelope)).toThrow(EnvelopeError);
});

test("keys say class, tenant and day, and are read back", () => {
  const name = packName([{ run: hex(1, 32), revision: 0 }]);
  const key = packKey({ ...place, name });
  expect(key).toBe(`v1/runs/short/acme/2026/11/20/${name}`);
  expect(parsePackKey(key)).toEqual({ ...place, name });
  for (const other of ["v1/runs/short/acme/2026/11/20/x", `v1/runs/hold/acme/2026/11/20/${name}`, `x/${key}`]) {
    expect(parsePackKey(other)).toBeNull();
  }
  expect(packDay(Date.parse("2026-11-20T23:59:59.999Z"))).toBe("2026-11-20");
});
