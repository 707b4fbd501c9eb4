import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scanTraces } from "@reenact/envelope";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { anyTraces, encodeTraces } from "./any-traces.test.fixture.ts";
import { checkTraces, MalformedTraces } from "./check-traces.ts";
import { requestOf, traceSpan } from "./receiver.test.fixture.ts";
import { splitBody } from "./split-body.ts";

const folder = mkdtempSync(join(tmpdir(), "split-"));
afterAll(() => rmSync(folder, { recursive: true }));

function split(body: Uint8Array, pieceBytes: number): Uint8Array[] {
  const path = join(folder, "body");
  writeFileSync(path, body);
  const file = openSync(path, "r");
  try {
    return [...splitBody(file, body.length, pieceBytes)];
  } finally {
    closeSync(file);
  }
}

/** What a reader makes of a request: each span with what it stands under, by their bytes. */
const spansOf = (bytes: Uint8Array) =>
  scanTraces(bytes).map(({ resource, resourceSchemaUrl, scope, scopeSchemaUrl, span }) =>
    [resource, scope, span].map((each) => Buffer.from(each).toString("hex")).concat(resourceSchemaUrl, scopeSchemaUrl),
  );

test("pieces hold every span under what it stood under, in order, however small they are", () => {
  fc.assert(
    fc.property(anyTraces.map(encodeTraces), fc.constantFrom(1, 60, 400, 1e6), (body, pieceBytes) => {
      const pieces = split(body, pieceBytes);
      expect(pieces.flatMap(spansOf)).toEqual(spansOf(body));
      const counts = pieces.map((piece) => checkTraces(piece).spans);
      expect(counts.reduce((sum, each) => sum + each, 0)).toBe(checkTraces(body).spans);
      if (pieceBytes === 1e6) expect(pieces.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 200 },
  );
});

test("a piece has its size, or one span", () => {
  const spans = Array.from({ length: 100 }, (_, n) => traceSpan(n === 50 ? 20_000 : 1_000));
  const pieces = split(requestOf(spans).finish(), 4_096).map((piece) => piece.length);
  expect(pieces.length).toBeGreaterThan(24);
  expect(pieces.filter((length) => length > 4_200)).toEqual([expect.closeTo(20_000, -3)]);
});

test("what the check of a whole request refuses is refused here, by the frame or by a piece; what it takes is taken", () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
  const cut = fc.option(fc.nat(), { nil: null });
  let refused = 0;
  fc.assert(
    fc.property(anyTraces.map(encodeTraces), changes, cut, (body, at, length) => {
      for (const [place, byte] of at) if (body.length > 0) body[place % body.length] = byte;
      const bytes = length === null ? body : body.subarray(0, length % (body.length + 1));
      const verdict = (check: () => number): number | null => {
        try {
          return check();
        } catch (error) {
          if (error instanceof MalformedTraces) return null;
          throw error;
        }
      };
      const whole = verdict(() => checkTraces(bytes).spans);
      const inPieces = verdict(() => split(bytes, 100).reduce((sum, piece) => sum + checkTraces(piece).spans, 0));
      if (whole === null) refused++;
      expect(inPieces).toBe(whole);
    }),
    { numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(10);
});
