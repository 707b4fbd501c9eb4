/** Nothing in a browser is one of Node's. */
export function EventEmitter(): void {}

export function once(): never {
  throw new Error("there are no streams here");
}
