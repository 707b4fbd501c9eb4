import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { decodeValue, type DecodeOptions } from "./decode-value.ts";
import { encodeValue } from "./encode-value.ts";
import { renumberValue } from "./renumber-value.ts";

const again = (error: unknown, options: DecodeOptions = {}): Error => {
  const { text, lossy } = encodeValue(error);
  expect(lossy).toEqual([]);
  expect(renumberValue(text)).toBe(text);
  return decodeValue(text, options) as Error;
};

/** What a program can see of an error. */
const seen = (error: Error): unknown[] => [
  Object.getOwnPropertyNames(error),
  Object.keys(error),
  JSON.stringify(error),
  JSON.stringify(error, Object.getOwnPropertyNames(error)),
  String(error),
  `${error}`,
  inspect(error),
  (error as { toJSON?: () => unknown }).toJSON?.(),
  error.name,
  error.message,
  error.constructor.name,
];

class Quota extends RangeError {
  override name = "Quota";
  static readonly unit = "MB";
  readonly left: number;
  constructor(message: string | undefined, left: number) {
    super(message, { cause: left });
    this.left = left;
  }
  get isOver(): boolean {
    return this.left < 0;
  }
  override toString(): string {
    return `${this.name}(${this.left}): ${this.message}`;
  }
  toJSON(): unknown {
    return { left: this.left, at: { unit: Quota.unit } };
  }
}

class Denied extends Quota {
  #reason = "no licence";
  override get message(): string {
    return `denied: ${this.#reason}`;
  }
  override toString(): string {
    return `Denied for ${this.#reason}`;
  }
}

class Lazy extends Error {
  get render(): () => string {
    const value = (): string => `rendered ${this.message}`;
    Object.defineProperty(this, "render", { value, configurable: true });
    return value;
  }
  override get toString(): () => string {
    const value = (): string => `lazy ${this.message}`;
    Object.defineProperty(this, "toString", { value, configurable: true });
    return value;
  }
}

function OldStyle(this: Error, message: string): void {
  this.message = message;
  Error.captureStackTrace(this);
}
OldStyle.prototype = Object.create(Error.prototype, {
  constructor: { value: OldStyle },
  isOld: { value: true },
  name: { value: "OldStyle" },
});

function nodeError(): Error {
  try {
    Buffer.alloc("x" as never);
  } catch (error) {
    return error as Error;
  }
  throw new Error("no error");
}

const errors: Record<string, () => Error> = {
  "a method and an accessor": () => new Quota("over", -1),
  "private members": () => new Denied(undefined, 3),
  "members that are made when they are read": () => new Lazy("late"),
  "no class syntax": () => Object.assign(new (OldStyle as unknown as new (m: string) => Error)("old")),
  "own methods": () => Object.assign(new Error("own"), { toString: () => "as text", toJSON: () => ({ as: ["json"] }) }),
  "members before the message": () => {
    const error = new Error();
    Object.assign(error, { code: 1 });
    error.message = "late";
    return Object.defineProperty(error, "hint", { value: "h", enumerable: false });
  },
  "of Node": nodeError,
  AggregateError: () => new AggregateError([new Quota("a", 1), new TypeError("b")], "all"),
  DOMException: () => new DOMException("gone", "AbortError"),
  "a Symbol.toPrimitive": () =>
    new (class Prim extends Error {
      [Symbol.toPrimitive](): string {
        return "primitive";
      }
    })("x"),
};

describe.each(Object.entries(errors))("an error with %s", (_, make) => {
  test("is seen as it was", () => {
    const error = make();
    const before = Object.getOwnPropertyNames(error);
    const back = again(error);
    expect(Object.getOwnPropertyNames(error)).toEqual(before);
    expect(seen(back)).toEqual(seen(error));
  });

  test("is encoded as it was, where it is only compared", () => {
    const error = make();
    const compared = (of: unknown): string => encodeValue(of, { stacks: false }).text;
    expect(compared(again(error))).toBe(compared(error));
  });
});

describe("a private member, which is not enumerable and begins with _", () => {
  const withPrivate = (value: unknown, more: object = {}): Error =>
    Object.defineProperty(Object.assign(new Error("x"), more), "_own", { value });
  class Internals {
    readonly constr = Quota;
    readonly def = ["a"];
    readonly traits = new Set(["b"]);
  }

  test("holds its data, and what is lost in it does not make the error a lossy one", () => {
    const back = again(withPrivate(new Internals())) as unknown as { _own: Internals };
    expect(back._own).toMatchObject({ def: ["a"], traits: new Set(["b"]) });
    expect(encodeValue([withPrivate({ fn: again })]).lossy).toEqual([]);
    expect(encodeValue(new Error("y", { cause: withPrivate(new Internals()) })).lossy).toEqual([]);
  });

  test("does not hide what is lost elsewhere", () => {
    const shared = { fn: again };
    const lost = (error: Error): string[] => encodeValue(error).lossy;
    expect(lost(withPrivate(new Internals(), { own: again }))).toEqual(["own: function again could not be encoded"]);
    expect(lost(Object.assign(withPrivate(shared), { shared: { in: shared } }))).toEqual([
      "_own.fn: function again could not be encoded",
    ]);
    expect(lost(Object.assign(new Error("x"), { _own: again }))).toEqual(["_own: function again could not be encoded"]);
    expect(lost(Object.defineProperty(new Error("x"), "own", { value: again }))).toHaveLength(1);
  });
});

const ofProgram: DecodeOptions = {
  errorClass: (names, base) =>
    base !== "RangeError"
      ? null
      : names === "Quota"
        ? (Quota as never)
        : names === "Denied < Quota"
          ? (Denied as never)
          : null,
};

test("an error is of the class that the program has, without its constructor", () => {
  const back = again(new Quota("over", 2), ofProgram) as Quota;
  expect(back).toBeInstanceOf(Quota);
  expect(Object.getPrototypeOf(back)).toBe(Quota.prototype);
  expect([back.isOver, String(back), Object.keys(back)]).toEqual([false, "Quota(2): over", ["name", "left"]]);
});

test("what a class of the program cannot make without its private members is what was recorded", () => {
  const back = again(new Denied(undefined, 2), ofProgram);
  expect(back).toBeInstanceOf(Denied);
  expect([back.message, String(back)]).toEqual(["denied: no licence", "Denied for no licence"]);
});

test("a class of the program that was changed shows what it makes now", () => {
  const edited: DecodeOptions = {
    errorClass: () =>
      class extends RangeError {
        override toString(): string {
          return "edited";
        }
      },
  };
  expect(String(again(new Quota("over", 2), edited))).toBe("edited");
});

test("a method that reads what no record holds gives what was recorded", () => {
  class Failed extends Error {
    request = { send: (): string => "sent" };
    toJSON(): unknown {
      return { can: Object.keys(this.request), sends: typeof this.request.send };
    }
  }
  const back = decodeValue(encodeValue(new Failed("x")).text, { errorClass: () => Failed });
  expect(JSON.stringify(back)).toBe('{"can":["send"],"sends":"function"}');
});

test("what a class makes is bounded, and nothing of it throws", () => {
  let calls = 0;
  class Large extends Error {
    get text(): string {
      return "t".repeat(20_000);
    }
    get broken(): string {
      throw new Error("broken");
    }
    override toString(): string {
      return "s".repeat(20_000);
    }
    toJSON(): unknown {
      calls++;
      return Array.from({ length: 100_000 }, (_, n) => n);
    }
  }
  const { text } = encodeValue(new Large("large"));
  expect(text.length).toBeLessThan(4000);
  expect(calls).toBe(1);
  class Hostile extends Error {
    override toString(): string {
      throw new Error("toString");
    }
    toJSON(): unknown {
      throw new Error("toJSON");
    }
  }
  expect(again(new Hostile("x")).message).toBe("x");
});

test("the recorder's own work encloses what a class does", () => {
  let inside = false;
  const within: boolean[] = [];
  class Watched extends Error {
    override toString(): string {
      within.push(inside);
      return "watched";
    }
  }
  const call = <T>(fn: () => T): T => {
    inside = true;
    try {
      return fn();
    } finally {
      inside = false;
    }
  };
  const { text } = encodeValue(new Watched("x"), { call });
  decodeValue(text, { errorClass: () => Watched, call });
  expect(within).toEqual([true, true]);
});

test("what is only compared holds no method's outcome", () => {
  expect(encodeValue(new Quota("over", 1), { stacks: false }).text).not.toContain("toString");
});
