/** Documents in which each name is a step of an order, wherever they stand. */
const ORDERED = new Set(["sort", "$sort", "sortBy", "hint", "key"]);
/** What commands call filters, updates and documents: their own names may stand in any order, those of documents in them may not. */
const HOLDERS = new Set([
  "filter",
  "q",
  "query",
  "u",
  "update",
  "updateMods",
  "document",
  "documents",
  "pipeline",
  "arrayFilters",
]);
/** Operators that take values, and no names of fields. */
const OF_VALUES = new Set([
  "$eq",
  "$ne",
  "$gt",
  "$gte",
  "$lt",
  "$lte",
  "$in",
  "$nin",
  "$all",
  "$each",
  "$literal",
  "$document",
]);

interface Place {
  /** names with dots, from the command */
  readonly path: string;
  /** it is a part of a filter, an update or a document */
  readonly isHeld: boolean;
  /** documents here are other ones if their names stand in another order */
  readonly isOrdered: boolean;
}

/**
 * The names of each document of a command whose order means something, by its path: `{ a: { x, y } }` finds no `{ a: { y, x } }`, and
 * members of objects are compared in any order. Names that stand in the order of the alphabet are left out.
 */
export function nameOrders(command: object): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {};
  look(command, { path: "", isHeld: false, isOrdered: false }, found);
  return found;
}

function look(value: unknown, place: Place, found: Record<string, readonly string[]>): void {
  if (typeof value !== "object" || value === null || value instanceof Date || ArrayBuffer.isView(value)) return;
  const { path, isHeld, isOrdered } = place;
  const within = (name: string): string => (path === "" ? name : `${path}.${name}`);
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) look(each, { ...place, path: within(String(at)) }, found);
    return;
  }
  const names = Object.keys(value);
  if (isOrdered && names[0]?.startsWith("$") === false && !isSorted(names)) found[path] = names;
  for (const [name, member] of Object.entries(value))
    look(
      member,
      { path: within(name), isHeld: isHeld || HOLDERS.has(name), isOrdered: isOrderedBy(name, isHeld) },
      found,
    );
}

function isOrderedBy(name: string, isHeld: boolean): boolean {
  if (ORDERED.has(name)) return true;
  return isHeld && (!name.startsWith("$") || OF_VALUES.has(name));
}

function isSorted(names: readonly string[]): boolean {
  return names.every((name, at) => at === 0 || (names[at - 1] ?? "") <= name);
}
