/** The prototype of an object of Node or a library. Throws `TypeError` for an object without one. */
export function prototypeOf(value: object): object {
  const found = Reflect.getPrototypeOf(value);
  if (found === null) throw new TypeError("the object has no prototype");
  return found;
}
