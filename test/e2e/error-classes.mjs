/* oxlint-disable -- wrong on purpose */
// Throws errors of many classes out of tool(), step() and fetch, and prints all that a program can see of them.
// argv[2]: where the wrappers of @reenact/node come from, or "none"; argv[3]: an address that answers with 404; argv[4]: "edited" for
// other methods of one class
import fs from "node:fs";
import { inspect } from "node:util";
import axios, { AxiosError } from "axios";
import { APIError, NotFoundError } from "openai";
import { z, ZodError } from "zod";

const [, , wrappers, url, edit] = process.argv;
const bare = { tool: (_, fn) => fn, step: (_, fn) => fn(), agent: (_, fn) => fn };
const { tool, step, agent } = wrappers === "none" ? bare : await import(wrappers);

class Quota extends RangeError {
  name = "Quota";
  constructor(message, left) {
    super(message, { cause: new TypeError("counted") });
    this.left = left;
  }
  get isOver() {
    return this.left < 0;
  }
  hint() {
    return `buy ${-this.left} more`;
  }
  toString() {
    return `${this.name} (${this.left} left): ${this.message}`;
  }
  toJSON() {
    return { quota: this.left, at: { message: this.message } };
  }
}
if (edit === "edited") Quota.prototype.toString = () => "edited";

class Denied extends Error {
  #reason;
  constructor(reason) {
    super();
    this.#reason = reason;
  }
  get message() {
    return `denied for ${this.#reason}`;
  }
  toJSON() {
    return { why: this.#reason };
  }
}

class Odd extends Error {
  [inspect.custom]() {
    return `<odd ${this.message}>`;
  }
  get [Symbol.toStringTag]() {
    return "Odd";
  }
}

function Old(message) {
  this.message = message;
  Error.captureStackTrace(this, Old);
}
Old.prototype = Object.create(Error.prototype, { constructor: { value: Old }, name: { value: "Old" } });
Old.prototype.isOld = true;
Old.prototype.describe = function () {
  return `old: ${this.message}`;
};

const within = () => {
  class Local extends Error {
    get kind() {
      return "local";
    }
    toString() {
      return `local ${this.message}`;
    }
  }
  throw new Local("here");
};

const fail = (error) => () => {
  throw error();
};
const kinds = {
  Error: fail(() => new Error("plain", { cause: { code: 1 } })),
  "a late message": fail(() => {
    const error = new Error();
    error.code = "E_LATE";
    error.message = "late";
    return error;
  }),
  "own methods": fail(() =>
    Object.assign(new Error("own"), { toString: () => "as text", toJSON: () => ["as", "JSON"] }),
  ),
  Quota: fail(() => new Quota("over", -2)),
  Denied: fail(() => new Denied("a reason")),
  Odd: fail(() => new Odd("look")),
  Old: fail(() => new Old("style")),
  "a class within": within,
  AggregateError: fail(() => new AggregateError([new Quota("first", 1), new TypeError("second")], "all")),
  DOMException: fail(() => new DOMException("gone", "AbortError")),
  "a number": fail(() => 404),
  "an object": fail(() => ({ status: 404, error: new Quota("inner", 0) })),
  "of Node": () => Buffer.alloc("x"),
  "of node:fs": () => fs.readFileSync("/nowhere"),
  "of node:fs, as a promise": () => fs.promises.readFile("/nowhere"),
  "of new URL": () => new URL("nope"),
  ZodError: () => z.object({ n: z.number(), list: z.array(z.string()) }).parse({ n: "x", list: [1] }),
  AxiosError: () => axios.get(`${url}axios`, { headers: { "x-kind": "one" } }),
  "AxiosError, of ours": fail(() => new AxiosError("mine", "E_MINE", { url: "http://h.example/", headers: {} })),
  APIError: fail(() =>
    APIError.generate(404, { message: "no model" }, "no model", new Headers({ "x-request-id": "r1" })),
  ),
  "fetch of a closed port": () => fetch("http://127.0.0.1:59999/"),
  "fetch of a closed name": () => fetch("http://localhost:59999/"),
  "fetch that was given up": () => fetch(url, { signal: AbortSignal.abort(new Quota("given up", 0)) }),
};

const classes = {
  Quota,
  Denied,
  Odd,
  Old,
  ZodError,
  AxiosError,
  APIError,
  NotFoundError,
  AggregateError,
  DOMException,
};
const shown = (value) => {
  try {
    return JSON.stringify(value);
  } catch (error) {
    return `no JSON: ${error.message}`;
  }
};

function seen(error) {
  if (typeof error !== "object") return [inspect(error)];
  const own = Object.getOwnPropertyNames(error);
  return [
    `own ${own}; shown ${Object.keys(error)}`,
    `is ${Object.entries(classes)
      .filter(([, each]) => error instanceof each)
      .map(([name]) => name)}; ${error.constructor.name}`,
    `${error.name}: ${error.message}`,
    `text ${String(error)} | ${error} | ${"" + error}`,
    `JSON ${shown(error)} ${JSON.stringify(
      error,
      own.filter((name) => name !== "stack"),
    )} ${shown({ error })}`,
    `toJSON ${shown(error.toJSON?.())}`,
    `members ${[error.isOver, error.hint?.(), error.isOld, error.describe?.(), error.kind, error.isAxiosError, axios.isAxiosError(error)]}`,
    `of SDKs ${[error.issues?.length, error.status, error.code, error.request_id, error.requestID, error.headers?.constructor.name]}`,
    // of a request it shows the state of the socket
    ...(error.request === undefined ? [inspect(error), inspect(error, { depth: 0, compact: true })] : []),
    ...(error.errors ?? []).map((each) => `error ${each} ${shown(each)} ${each instanceof Quota}`),
    `cause ${error.cause instanceof Error ? seen(error.cause).join("\n") : shown(error.cause)}`,
  ];
}

// a stack has other frames where no wrapper of the recorder is
const withoutFrames = (text) =>
  text
    .replaceAll(/(?:\n| {4}|\\n)+at [^\n"\\]+/g, "")
    .split("\n")
    .filter((line) => !/^\s*(?:\.\.\. \d+ lines matching cause stack trace \.\.\.)?$/.test(line))
    .join("\n");
const say = (what, error) => console.log(withoutFrames(`${what}:\n${seen(error).join("\n")}\n`));

const caught = async (fn) => {
  try {
    await fn();
    return new Error("nothing was thrown");
  } catch (error) {
    return error;
  }
};

const run = agent("errors", async () => {
  for (const [kind, fn] of Object.entries(kinds)) {
    say(`${kind}, by itself`, await caught(fn));
    say(`${kind}, tool()`, await caught(tool("sync", () => fn())));
    say(`${kind}, late in tool()`, await caught(tool("late", async () => await fn())));
    say(`${kind}, step()`, await caught(() => step("a step", async () => await fn())));
    say(
      `${kind}, in a value`,
      (await tool("settled", async () => (await Promise.allSettled([(async () => await fn())()]))[0])()).reason,
    );
    say(
      `${kind}, yielded`,
      await caught(async () => {
        for await (const each of tool("yields", async function* () {
          yield 1;
          await fn();
        })());
      }),
    );
    const again = tool("takes", (error) => `took ${error}`);
    console.log(again(await caught(tool("gives", () => fn()))));
  }
});
await run();
