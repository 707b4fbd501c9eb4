/** Gives an object a member of its own, over a getter or a read-only one of its class. */
export function put(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true });
}
