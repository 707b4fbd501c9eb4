import type { WireQueue } from "@reenact/capture/hook";

type Given = (error: unknown, connection?: unknown) => unknown;

/** callbacks that have their turn: the pool asks again for one that waited for a connection which is gone */
const turned = new WeakSet<Given>();

/** When a connection of a pool is free is decided by the code that releases one, which may be that of another run. */
export const poolQueues: readonly WireQueue[] = [
  {
    packages: ["mysql2"],
    path: /^lib\/base\/pool\.js$/,
    value: "BasePool",
    method: "getConnection",
    around: (real, _bind, bindTurn) =>
      function (this: unknown, given, ...rest) {
        if (typeof given !== "function" || turned.has(given as Given))
          return Reflect.apply(real, this, [given, ...rest]);
        const turn = bindTurn((run: () => unknown) => run());
        const own: Given = (...args) => turn(() => Reflect.apply(given, undefined, args) as unknown);
        turned.add(own);
        return Reflect.apply(real, this, [own, ...rest]);
      },
  },
];
