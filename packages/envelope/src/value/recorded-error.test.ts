import { inspect } from "node:util";
import { expect, test } from "vitest";
import { recordedError } from "../schema/record.ts";
import { recordError, recordWholeError, reviveError } from "./recorded-error.ts";

const again = (error: unknown) => {
  const recorded = JSON.parse(JSON.stringify(recordError(error))) as unknown;
  return reviveError(recordedError.parse(recorded));
};

test("a failed fetch comes back as one", () => {
  class SocketError extends Error {
    code = "UND_ERR_SOCKET";
    override name = "SocketError";
    socket = { localPort: 1 };
    bytes = 12;
  }
  const error = again(new TypeError("fetch failed", { cause: new SocketError("other side closed") })) as TypeError;
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toBe("fetch failed");
  const cause = error.cause as SocketError;
  expect(cause).toBeInstanceOf(Error);
  expect([cause.constructor.name, cause.name, cause.code, cause.bytes]).toEqual([
    "SocketError",
    "SocketError",
    "UND_ERR_SOCKET",
    12,
  ]);
  expect("socket" in cause).toBe(false);
});

test("an error that comes back shows no frames of ours", () => {
  class Refused extends Error {}
  for (const error of [
    new TypeError("fetch failed", { cause: new Refused("two\nlines") }),
    new DOMException("x", "AbortError"),
  ])
    expect(inspect(again(error))).not.toContain("    at ");
  expect(new Error("mine").stack).toContain("    at ");
});

test.each(["AbortError", "TimeoutError"])("%s stays a DOMException", (name) => {
  const error = again(new DOMException("stopped", name)) as DOMException;
  expect(error).toBeInstanceOf(DOMException);
  expect([error.name, error.code]).toEqual([name, new DOMException("", name).code]);
});

test("Node's own errors keep code and base", () => {
  let thrown: unknown;
  try {
    Buffer.alloc("x" as unknown as number);
  } catch (error) {
    thrown = error;
  }
  const error = again(thrown) as TypeError & { code: string };
  expect(error).toBeInstanceOf(TypeError);
  expect(error.code).toBe("ERR_INVALID_ARG_TYPE");
});

test.each([undefined, null, 0, "text", false, -0, NaN, 1n, { reason: [1, new Date(3)] }])("thrown %s", (value) => {
  expect(again(value)).toStrictEqual(value);
});

test("causes end at depth 4, cycles too", () => {
  const error = new Error("loop");
  error.cause = error;
  let depth = 0;
  for (let at = again(error) as Error | undefined; at; at = at.cause as Error | undefined) depth++;
  expect(depth).toBe(5);
});

test("never throws", () => {
  const hostile = Object.defineProperty(new Error("x"), "message", {
    get() {
      throw new Error("message");
    },
  });
  expect(recordError(hostile).class).toBe("Error");
});

test("a whole error comes back with all members, in their order", () => {
  const error = new TypeError("fetch failed", {
    cause: new AggregateError([Object.assign(new Error("refused"), { socket: { port: 1 } })], "all"),
  });
  const recorded = recordedError.parse(JSON.parse(JSON.stringify(recordWholeError(error))));
  expect(recorded.message).toBe("fetch failed");
  const back = reviveError(recorded) as TypeError;
  expect(inspect(back, { depth: 9 })).toBe(inspect(error, { depth: 9 }));
  expect(back.stack).toBe(error.stack);
  expect(recordWholeError(Object.assign(new Error("large"), { body: "b".repeat(70_000) }))).not.toHaveProperty("typed");
});
