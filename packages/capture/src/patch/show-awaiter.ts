import { isPromise } from "node:util/types";

/**
 * As `inner.then(ok, fail)`, for a promise whose outcome reaches the agent through `resolve` of another promise, at another
 * time. V8 finds who awaits (`at async …` in a stack) by following reactions to a promise's own `resolve`: this one is never
 * called here, it is only there to be found.
 */
export function thenSeen<T>(
  inner: PromiseLike<T>,
  ok: (value: T) => void,
  fail: (error: unknown) => void,
  resolve?: (value: never) => void,
): void {
  const never = (): Promise<never> => new Promise(() => {});
  const followed = inner.then(
    (value) => {
      ok(value);
      return never();
    },
    (error: unknown) => {
      fail(error);
      return never();
    },
  ) as unknown;
  if (resolve !== undefined && isPromise(followed) && Object.getPrototypeOf(followed) === Promise.prototype)
    void (followed as Promise<never>).then(resolve);
}
