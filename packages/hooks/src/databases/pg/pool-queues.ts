import type { WireQueue } from "@reenact/capture/hook";
import { AskedTurns } from "./asked-turns.ts";

/** What is used of a `Pool` of `pg-pool`. */
interface Pool {
  readonly _pendingQueue?: readonly object[];
}

/** by what waits for a client, whether by a callback or by a promise */
const turns = new AskedTurns<object>();

const pool = {
  packages: ["pg-pool"],
  versions: { from: "3.6.0", below: "4.0.0" },
  path: /^index\.js$/,
  value: "Pool",
} as const;

/** When a client of a pool is free is decided by the code that releases one, which may be that of another run. */
export const poolQueues: readonly WireQueue[] = [
  {
    ...pool,
    method: "connect",
    around: (real, _bind, bindTurn) =>
      function (this: unknown, ...args) {
        const turn = bindTurn((run: () => unknown) => run());
        const ask = (): unknown => Reflect.apply(real, this, args);
        return turns.ask(turn, ask, () => (this as Pool)._pendingQueue?.at(-1));
      },
  },
  {
    ...pool,
    method: "newClient",
    around: (real) =>
      function (this: unknown, pending, ...rest) {
        turns.made(pending as object);
        return Reflect.apply(real, this, [pending, ...rest]);
      },
  },
  {
    ...pool,
    method: "_acquireClient",
    around: (real) =>
      function (this: unknown, client, pending, ...rest) {
        return turns.take(pending as object, () => Reflect.apply(real, this, [client, pending, ...rest]));
      },
  },
];
