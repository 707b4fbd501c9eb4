import { here } from "../../run/context.ts";
import { originals } from "../../patch/originals.ts";
import { recordedValue } from "../recorded-value.ts";
import { replaceGetter } from "../../patch/replace-getter.ts";
import { replaceMarks } from "./performance-marks.ts";
import { replaceMethod, undoAll } from "../../patch/replace-method.ts";

const epoch = (): number => recordedValue("D", originals.now);

/** Patches every way to ask for the time. */
export function installClock(): () => void {
  const performancePrototype = Object.getPrototypeOf(performance) as Performance;
  return undoAll([
    ...replaceDate(),
    replaceMethod<() => number>(
      performancePrototype,
      "now",
      (real) =>
        function now(this: Performance) {
          const value = Reflect.apply(real, this, []);
          return recordedValue("P", () => value);
        },
    ),
    replaceGetter<Performance, number>(performancePrototype, "timeOrigin", (value) => recordedValue("P", () => value)),
    ...replaceMarks(performancePrototype),
    ...replaceHrtime(),
    replaceMethod<() => number>(process, "uptime", (real) => () => recordedValue("T", real)),
    ...replaceDateTimeFormat(),
  ]);
}

function replaceDate(): (() => void)[] {
  const Real = originals.Date;
  const undoDate = replaceMethod(globalThis, "Date", () => {
    const Patched = function Date(...args: unknown[]): unknown {
      if (new.target === undefined) return here() === null ? Real() : new Real(epoch()).toString();
      const given = args.length === 0 && here() !== null ? [epoch()] : args;
      return Reflect.construct(Real, given, new.target === Patched ? Real : new.target);
    };
    // instances made before and after, by either constructor, are instances of both
    Object.defineProperty(Patched, "prototype", { value: Real.prototype, writable: false });
    return Patched;
  });
  const Patched = globalThis.Date;
  return [
    undoDate,
    replaceMethod<() => number>(Patched, "now", () => epoch),
    replaceConstructor(Real.prototype, Patched),
  ];
}

/** `new Date().constructor === Date` must go on to hold. */
function replaceConstructor(prototype: Date, constructor: DateConstructor): () => void {
  const before = Object.getOwnPropertyDescriptor(prototype, "constructor") as PropertyDescriptor;
  Object.defineProperty(prototype, "constructor", { ...before, value: constructor });
  return () => void Object.defineProperty(prototype, "constructor", before);
}

function replaceHrtime(): (() => void)[] {
  const { bigint } = process.hrtime;
  const nanoseconds = (): bigint => BigInt(recordedValue("H", () => String(bigint())));
  return [
    replaceMethod<(time?: [number, number]) => [number, number]>(
      process,
      "hrtime",
      (real) =>
        function hrtime(this: unknown, time) {
          if (here() === null || (time !== undefined && !(Array.isArray(time) && time.length === 2)))
            return Reflect.apply(real, this, [time]);
          const now = nanoseconds();
          const seconds = Number(now / 1_000_000_000n);
          const rest = Number(now % 1_000_000_000n);
          if (time === undefined) return [seconds, rest];
          const borrow = rest < time[1];
          return [seconds - time[0] - (borrow ? 1 : 0), rest - time[1] + (borrow ? 1e9 : 0)];
        },
    ),
    replaceMethod<() => bigint>(process.hrtime, "bigint", (real) => () => (here() === null ? real() : nanoseconds())),
  ];
}

type Format = (date?: Date | number) => string;

function replaceDateTimeFormat(): (() => void)[] {
  const { prototype } = Intl.DateTimeFormat;
  const bound = new WeakMap<Format, Format>();
  return [
    replaceGetter<Intl.DateTimeFormat, Format>(prototype, "format", (real) => {
      let watched = bound.get(real);
      if (watched === undefined) {
        watched = (date) => real(date === undefined && here() !== null ? epoch() : date);
        Object.defineProperty(watched, "name", { value: real.name, configurable: true });
        Object.defineProperty(watched, "length", { value: real.length, configurable: true });
        bound.set(real, watched);
      }
      return watched;
    }),
    replaceMethod<Intl.DateTimeFormat["formatToParts"]>(
      prototype,
      "formatToParts",
      (real) =>
        function formatToParts(this: Intl.DateTimeFormat, date?: Date | number | string) {
          return Reflect.apply(real, this, [(date === undefined && here() !== null ? epoch() : date) as Date]);
        },
    ),
  ];
}
