import { prototypesOf } from "./error-class.ts";

/** Members that are methods; what is recorded of them is what they give. */
const METHODS: ReadonlySet<string> = new Set(["toString", "toJSON"]);

/**
 * Gives an error that was revived the members that its recorded classes made (SPEC.md §6). They stand on a prototype of its own,
 * so that its own members are the recorded ones. `of` says of what class the error is:
 * - `look-alike`: a class that was made for it
 * - `whole`: the class of the program, which has not changed, and whose members stay. Those that throw are the recorded ones, since they
 *   need what no record holds, such as private members, and those that it lacks: some classes get their methods with their first instance
 * - `in part`: the same, and the record does not hold all of the error, so those that give something else are the recorded ones too
 */
export function showDerived(
  error: Error,
  derived: Readonly<Record<string, unknown>>,
  of: "look-alike" | "whole" | "in part",
): void {
  const lacking: PropertyDescriptorMap = {};
  const own = new Set(Reflect.ownKeys(error));
  for (const [key, value] of Object.entries(derived)) {
    const isMethod = METHODS.has(key);
    const descriptor = { value: isMethod ? methodOf(key, value) : value, writable: true, configurable: true };
    if (isMethod && own.has(key)) Object.defineProperty(error, key, { ...descriptor, enumerable: isShown(error, key) });
    else if (isMethod && of === "look-alike") lacking[key] = descriptor;
    else if (lacks(error, key, value, of === "whole")) lacking[key] = descriptor;
    // made by an accessor as it was read
    for (const each of Reflect.ownKeys(error)) if (!own.has(each)) Reflect.deleteProperty(error, each);
  }
  if (Object.keys(lacking).length > 0)
    Object.setPrototypeOf(error, Object.create(Object.getPrototypeOf(error) as object, lacking) as object);
}

/** A function of this name. */
const methodOf = (key: string, value: unknown): unknown => ({ [key]: () => structuredClone(value) })[key];

const isShown = (error: Error, key: string): boolean => Object.prototype.propertyIsEnumerable.call(error, key);

function lacks(error: Error, key: string, recorded: unknown, onlyThrown: boolean): boolean {
  if (!prototypesOf(error).some((prototype) => Object.hasOwn(prototype, key))) return read(error, key) !== recorded;
  try {
    const now = valueOf(error, key);
    return !onlyThrown && JSON.stringify(now) !== JSON.stringify(recorded);
  } catch {
    return true;
  }
}

function valueOf(error: Error, key: string): unknown {
  if (key === "toString") return String(error);
  if (key === "toJSON") return JSON.parse(JSON.stringify(error));
  return read(error, key);
}

const read = (error: Error, key: string): unknown => (error as unknown as Record<string, unknown>)[key];
