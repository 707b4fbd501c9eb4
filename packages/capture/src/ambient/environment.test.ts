import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { isMainThread } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { live, within } from "../run/context.ts";
import { environmentReads, installEnvironment, setForProgram, watchEnvironment } from "./environment.ts";
import { recordingRun } from "./fake-replay.test.fixture.ts";

const NAME = "CAPTURE_TEST_VALUE";
let undo: () => void;
beforeEach(() => {
  process.env[NAME] = "first";
  undo = installEnvironment();
});
afterEach(() => {
  undo();
  delete process.env[NAME];
});

const inRun = <T>(fn: () => T): T => within(recordingRun().frame, fn);

test("the first value of each name that a run reads is kept, and of none that it does not read", () => {
  inRun(() => {
    expect(process.env[NAME]).toBe("first");
    expect(process.env["CAPTURE_TEST_ABSENT"]).toBeUndefined();
    expect("CAPTURE_TEST_ASKED" in process.env).toBe(false);
    expect(process.env["REENACT_LOG"]).toBeUndefined();
    process.env[NAME] = "second";
    expect(process.env[NAME]).toBe("second");
    process.env["CAPTURE_TEST_OWN"] = "mine";
    expect(process.env["CAPTURE_TEST_OWN"]).toBe("mine");
    delete process.env["CAPTURE_TEST_OWN"];
    live(() => process.env["PATH"]);
  });
  expect(process.env["HOME"]).toBe(process.env["HOME"]);
  expect([...environmentReads()]).toEqual([
    [NAME, "first"],
    ["CAPTURE_TEST_ABSENT", undefined],
    ["CAPTURE_TEST_ASKED", undefined],
  ]);
});

test("a value that is set for the program is one that it reads, not one that it wrote", () => {
  const heard: string[] = [];
  const forget = watchEnvironment((name) => heard.push(name));
  setForProgram(NAME, "shown");
  setForProgram("CAPTURE_TEST_ABSENT", undefined);
  expect(inRun(() => process.env[NAME])).toBe("shown");
  forget();
  expect([heard, [...environmentReads()]]).toEqual([[], [[NAME, "shown"]]]);
});

test("an enumeration reads what it passes", () => {
  const names = Object.keys(process.env);
  inRun(() => {
    expect(Object.keys({ ...process.env })).toEqual(names);
  });
  expect([...environmentReads().keys()].toSorted()).toEqual(names.filter((n) => !n.startsWith("REENACT_")).toSorted());
});

test("process.env behaves as ever", () => {
  inRun(() => {
    const env = process.env as Record<string, unknown>;
    env[NAME] = 5;
    expect(env[NAME]).toBe("5");
    env[NAME] = undefined;
    expect(env[NAME]).toBe("undefined");
    expect(() => (env[NAME] = Symbol("no"))).toThrow(TypeError);
    expect(() => Object.defineProperty(env, NAME, { get: () => "x" })).toThrow(TypeError);
    Object.defineProperty(env, NAME, { value: "defined", configurable: true, enumerable: true, writable: true });
    expect(env[NAME]).toBe("defined");
    expect(Object.getOwnPropertyDescriptor(env, NAME)).toEqual({
      value: "defined",
      configurable: true,
      enumerable: true,
      writable: true,
    });
    expect(Object.hasOwn(env, NAME)).toBe(true);
    expect(JSON.parse(JSON.stringify(env))[NAME]).toBe("defined");
    expect(inspect(env)).toContain(`${NAME}: 'defined'`);
    expect(env["toString"]).toBeTypeOf("function");
    expect(Object.prototype.toString.call(env)).toBe("[object Object]");
    expect(execFileSync(process.execPath, ["-p", `process.env.${NAME}`]).toString()).toBe("defined\n");
    expect(delete env[NAME]).toBe(true);
    expect(NAME in env).toBe(false);
    const child = Object.create(env) as Record<string, unknown>;
    child[NAME] = 5;
    expect([child[NAME], env[NAME]]).toEqual([5, undefined]);
    env["TZ"] = "Asia/Tokyo";
    expect(new Date(0).getHours()).toBe(9);
    delete env["TZ"];
  });
});

test("the undo puts the real object back", () => {
  const view = process.env;
  installEnvironment()();
  undo();
  expect(process.env).not.toBe(view);
  undo = installEnvironment();
});

test("a name that was read is not asked for again, and follows what the program sets, deletes, defines and loads", () => {
  let asked = 0;
  undo();
  const real = process.env;
  const counting = new Proxy(real, {
    get(env, name) {
      if (name === NAME) asked++;
      return env[name as string];
    },
    set(env, name, value: string) {
      env[name as string] = value;
      return true;
    },
  });
  Object.defineProperty(process, "env", { value: counting, writable: true, configurable: true, enumerable: true });
  const undoCounted = installEnvironment();
  const folder = mkdtempSync(join(tmpdir(), "environment-"));
  try {
    inRun(() => {
      for (let i = 0; i < 1000; i++) expect(process.env[NAME]).toBe("first");
      // a worker of the test runner has an environment of its own, which is asked each time
      expect(asked).toBe(isMainThread ? 1 : 1000);
      process.env[NAME] = "second";
      expect([process.env[NAME], process.env[NAME]]).toEqual(["second", "second"]);
      Object.defineProperty(process.env, NAME, {
        value: "third",
        writable: true,
        configurable: true,
        enumerable: true,
      });
      expect(process.env[NAME]).toBe("third");
      delete process.env[NAME];
      expect(process.env[NAME]).toBeUndefined();
      writeFileSync(join(folder, "env"), `${NAME}=fourth\n`);
      process.loadEnvFile(join(folder, "env"));
      expect(process.env[NAME]).toBe("fourth");
    });
  } finally {
    undoCounted();
    Object.defineProperty(process, "env", { value: real, writable: true, configurable: true, enumerable: true });
    rmSync(folder, { recursive: true });
  }
});
