const own = new WeakSet<object>();

/** Says that error classes belong to a library that is built into this package. A program may have another copy of it. */
export function ownErrorClasses(classes: readonly object[]): void {
  for (const each of classes) own.add(each);
}

export const isOwnErrorClass = (Class: object): boolean => own.has(Class);
