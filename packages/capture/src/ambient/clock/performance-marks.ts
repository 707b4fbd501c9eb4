import { here } from "../../run/context.ts";
import { originals } from "../../patch/originals.ts";
import { recordedValue } from "../recorded-value.ts";
import { replaceMethod } from "../../patch/replace-method.ts";

type Mark = (this: Performance, ...args: unknown[]) => PerformanceMark;
type Measure = (this: Performance, name: string, ...rest: unknown[]) => PerformanceMeasure;

const drawn = (): number => recordedValue("P", originals.performanceNow, true);

/** `performance.mark` and `measure` ask for the time by themselves: here they are given it. */
export function replaceMarks(owner: Performance): (() => void)[] {
  return [
    replaceMethod<Mark>(
      owner,
      "mark",
      (real) =>
        function mark(this: Performance, ...args) {
          const options = (args[1] === undefined ? {} : args[1]) as PerformanceMarkOptions | null;
          const isTimed = typeof options !== "object" || options === null || options.startTime !== undefined;
          if (here() === null || args.length === 0 || isTimed) return Reflect.apply(real, this, args);
          return Reflect.apply(real, this, [args[0], { ...options, startTime: drawn() }]);
        },
    ),
    replaceMethod<Measure>(
      owner,
      "measure",
      (real) =>
        function measure(this: Performance, name, ...rest) {
          const [from, to] = rest;
          // anything else than a mark's name and options is ignored
          const given =
            typeof from === "object"
              ? (from as PerformanceMeasureOptions | null)
              : typeof from === "string"
                ? { start: from }
                : {};
          const isWhole =
            given === null || given.end !== undefined || (given.duration !== undefined && given.start !== undefined);
          if (here() === null || isWhole || to !== undefined) return Reflect.apply(real, this, [name, ...rest]);
          const { start = 0, detail } = given;
          return Reflect.apply(real, this, [name, { start, detail, end: drawn() }]);
        },
    ),
  ];
}
