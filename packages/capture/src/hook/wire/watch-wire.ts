import { guarded } from "../../fault/faults.ts";
import { replaceMethod } from "../../patch/replace-method.ts";
import { isLive } from "../../run/context.ts";
import type { AnyFunction } from "../hooked-file.ts";
import type { HookState } from "../tool-step.ts";
import { bindFrame, bindTurn } from "./bind-frame.ts";
import { WireConnection } from "./wire-connection.ts";
import type { AttachedWire, WireDriver, WireQueue } from "./wire-driver.ts";
import { WireStream } from "./wire-stream.ts";

/** Makes what the instances of a class exchange with their server steps. */
export function watchWire(
  { prototype }: { prototype: object },
  driver: WireDriver,
  state: HookState,
  undos: (() => void)[],
): void {
  for (const method of driver.methods)
    undos.push(
      replaceMethod<AnyFunction>(prototype, method, (real) => {
        return function (this: unknown, ...args) {
          const isWatched = state.active && !isLive();
          const attached = isWatched
            ? guarded("hook", undefined, () => attach(driver, state, this as object, args, real))
            : undefined;
          return attached?.result === undefined ? Reflect.apply(real, this, args) : attached.result.value;
        };
      }),
    );
}

function attach(
  driver: WireDriver,
  state: HookState,
  instance: object,
  args: readonly unknown[],
  real: AnyFunction,
): AttachedWire {
  const stream = new WireStream();
  const session = driver.session();
  const attached = driver.attach(instance, args, stream, real);
  stream.bind(new WireConnection({ driver, state, stream, session, attached }));
  return attached;
}

/** Lets what a method keeps for later run in the frame of its caller. */
export function watchQueue(
  { prototype }: { prototype: object },
  { method, around }: WireQueue,
  state: HookState,
  undos: (() => void)[],
): void {
  undos.push(
    replaceMethod<AnyFunction>(prototype, method, (real) => {
      const bound = around(real, bindFrame, bindTurn);
      return function (this: unknown, ...args) {
        return Reflect.apply(state.active ? bound : real, this, args);
      };
    }),
  );
}
