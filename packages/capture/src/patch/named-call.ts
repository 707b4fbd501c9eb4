/** Calls `fn` with `self` as `this`. */
export type Call = (fn: (...args: never[]) => unknown, self: unknown, args: readonly unknown[]) => unknown;

/** Makes a function that calls another one and whose frame in a stack trace has this name. */
function namedCall(name: string): Call {
  return {
    [name]: (fn: (...args: never[]) => unknown, self: unknown, args: readonly unknown[]): unknown =>
      Reflect.apply(fn, self, args as never[]),
  }[name] as Call;
}

/** Functions of `namedCall` by what follows `prefix` in their names; the first `most` are kept. */
export function namedCalls(prefix: string, most: number): (rest: string | number) => Call {
  const kept = new Map<string | number, Call>();
  return (rest) => {
    const known = kept.get(rest);
    if (known !== undefined) return known;
    const call = namedCall(prefix + rest);
    if (kept.size < most) kept.set(rest, call);
    return call;
  };
}
