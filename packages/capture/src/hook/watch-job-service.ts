import { replaceMethod } from "../patch/replace-method.ts";
import { guarded } from "../fault/faults.ts";
import { recordedValue } from "../ambient/recorded-value.ts";
import { noteAnswer } from "../inbound/service-answers.ts";
import { isOutside } from "./wire/outside-exchanges.ts";
import { inReplay, isLive, live, stepFrame } from "../run/context.ts";
import { recorder } from "../run/recorder.ts";
import { callStep } from "../span/function-step.ts";
import type { AnyFunction } from "./hooked-file.ts";
import type { JobService, ServiceCalls, ServiceObject, WatchCall } from "./job-source.ts";
import type { HookState } from "./tool-step.ts";

/** Makes what jobs ask of a service steps, and all else that a library does there our own work: no step, no connection of a run. */
export function watchJobService(
  { prototype }: { prototype: object },
  service: JobService,
  state: HookState,
  undos: (() => void)[],
): void {
  const watch = (method: string, around: (real: AnyFunction) => AnyFunction): void => {
    undos.push(replaceMethod<AnyFunction>(prototype, method, around));
  };
  /** `replayed`: what takes the place of the method in a replay */
  const ownWork = (replayed: (instance: unknown) => Promise<unknown>) => (real: AnyFunction) =>
    function (this: unknown, ...args: unknown[]): unknown {
      if (!state.active) return Reflect.apply(real, this, args);
      return recorder.isReplay || inReplay() ? replayed(this) : live(() => Reflect.apply(real, this, args));
    };
  const { own, atOnce = [], atOnceItself = [], others } = service;
  for (const method of own) watch(method, ownWork(never));
  for (const method of atOnce)
    watch(
      method,
      ownWork(() => Promise.resolve()),
    );
  for (const method of atOnceItself)
    watch(
      method,
      ownWork((instance) => Promise.resolve(instance)),
    );
  if (others === undefined) return;
  const known = new Set([...own, ...atOnce, ...atOnceItself]);
  for (const method of others.methods ?? asyncMethods(prototype))
    if (!known.has(method)) watch(method, asStep(method, others, state));
  for (const [method, made] of Object.entries(others.objects ?? {}))
    watch(method, asMaker(method, made, others, state));
}

export const watchCall =
  (state: HookState): WatchCall =>
  (method, real, calls) =>
    asStep(method, calls, state)(real);

function asStep(method: string, { system, args: shown, notKept = [], outside = {} }: ServiceCalls, state: HookState) {
  const revive = (error: unknown): unknown => guarded("hook", error, () => state.revive(error));
  return (real: AnyFunction): AnyFunction =>
    function (this: unknown, ...args) {
      const ask = (): unknown => Reflect.apply(real, this, args);
      // what one of these methods asks another one belongs to it
      if (!state.active || isLive()) return ask();
      const frame = stepFrame();
      const told = guarded("hook", null, () => shown(args));
      if (told === null) return live(ask);
      const body = (): unknown => {
        const withoutRecord = frame === null ? outside[method] : undefined;
        if (recorder.isReplay) return withoutRecord ? withoutRecord() : answerOutside(system, method, told);
        const answer = live(ask);
        const isKept = withoutRecord === undefined && !notKept.includes(method);
        if (isKept && isOutside(frame?.run ?? null)) keepAnswer(`${system} ${method}`, answer);
        return answer;
      };
      if (frame === null) return body();
      const { run, path } = frame;
      return callStep(
        frame,
        {
          start: { kind: "DB", name: method, op: `db:${system}`, path, agentic: false },
          inner: (step) => ({ run, path, scope: step.index, span: step.spanId, pendingToolCalls: null, outer: frame }),
          source: null,
          revive,
        },
        told,
        body,
      );
    };
}

/** A method that resolves to an object with methods that are steps: the object is made anew in a replay, without the service. */
function asMaker(method: string, { methods, flags }: ServiceObject, calls: ServiceCalls, state: HookState) {
  return (real: AnyFunction): AnyFunction =>
    async function (this: unknown, ...args) {
      if (!state.active || isLive()) return Reflect.apply(real, this, args);
      let object: Record<string, AnyFunction> = {};
      const make = async (): Promise<void> => {
        object = (await Reflect.apply(real, this, args)) as Record<string, AnyFunction>;
      };
      await Reflect.apply(asStep(method, calls, state)(make), this, args);
      for (const name of methods) object[name] = asStep(name, calls, state)(object[name] ?? never);
      for (const name of flags) {
        const isSo = object[name];
        object[name] = () => recordedValue("M", () => Number(isSo?.() ?? false)) === 1;
      }
      return object;
    };
}

/** Names of the methods of a class that always return a promise. */
function asyncMethods(prototype: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
    typeof value === "function" && Object.prototype.toString.call(value) === "[object AsyncFunction]" ? [name] : [],
  );
}

/** What the program asks where no run is written, such as at its start: a replay answers it from what the runs tell of it. */
function answerOutside(system: string, method: string, args: readonly unknown[]): unknown {
  const found = recorder.outside?.({ service: system }, method, args);
  return found === undefined ? never() : Promise.resolve(found.value);
}

function keepAnswer(of: string, answer: unknown): void {
  const keep = (value: unknown): void => guarded("hook", undefined, () => noteAnswer({ of, value }));
  if (answer instanceof Promise) answer.then(keep, () => {});
}

const never = (): Promise<never> => new Promise(() => {});
