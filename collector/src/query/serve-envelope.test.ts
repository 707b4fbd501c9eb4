import { Hono } from "hono";
import { expect, test } from "vitest";
import { serveEnvelope } from "./serve-envelope.ts";

const PIECES = 100;

/** `failAt`: the piece that cannot be read. */
async function serve(failAt = PIECES) {
  const seen = { read: 0, closed: false };
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (; seen.read < PIECES; seen.read++) {
        if (seen.read === failAt) throw new Error("the store is away");
        yield Uint8Array.of(seen.read);
      }
    } finally {
      seen.closed = true;
    }
  }
  const app = new Hono().get("/", (ask) => serveEnvelope(ask, { length: PIECES, read, etag: null }));
  return { seen, response: await app.request("/") };
}

test("an envelope comes whole, piece by piece", async () => {
  const { seen, response } = await serve();
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(Uint8Array.from({ length: PIECES }, (_, n) => n));
  expect(seen).toEqual({ read: PIECES, closed: true });
});

test("the store is read no further, and is closed, once the client cancels", async () => {
  const { seen, response } = await serve();
  const reader = response.body!.getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  expect(seen.read).toBeLessThan(5);
  expect(seen.closed).toBe(true);
});

test("a read that fails in the middle breaks the body off instead of ending it", async () => {
  const { response } = await serve(3);
  await expect(response.arrayBuffer()).rejects.toThrow("the store is away");
});
