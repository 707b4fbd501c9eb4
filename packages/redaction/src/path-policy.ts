/** What a policy says of the values at a path. */
export interface PathPolicy {
  /** null: nothing */
  of(path: string): "allow" | "deny" | null;
  /**
   * The shape that stands for a value of this type. A shape that the policy names for one place holds for values of its
   * type everywhere: an agent copies a value from an answer into a prompt, and it must stay one value.
   */
  shapeOf(path: string | null, type: string): Shape | null;
}

/** The type of value whose shape it is. */
const TYPE_OF: Readonly<Record<Shape, string>> = { email: "EMAIL", ipv6: "IP", digits: "CARD" };

/** What stands for a value where code parses it: an address, a number. */
export type Shape = "email" | "ipv6" | "digits";

export interface PathRules {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly shapes?: readonly { readonly path: string; readonly as: Shape }[] | undefined;
}

/** Null where the policy names no path: then no leaf's path need be known. */
export function createPathPolicy(rules: PathRules | undefined): PathPolicy | null {
  const allow = (rules?.allow ?? []).map(pathTest);
  const deny = (rules?.deny ?? []).map(pathTest);
  const shapes = (rules?.shapes ?? []).map(({ path, as }) => ({ test: pathTest(path), as }));
  if (allow.length + deny.length + shapes.length === 0) return null;
  return {
    of(path) {
      if (deny.some((test) => test(path))) return "deny";
      return allow.some((test) => test(path)) ? "allow" : null;
    },
    shapeOf: (path, type) =>
      (shapes.find(({ test }) => path !== null && test(path)) ?? shapes.find(({ as }) => TYPE_OF[as] === type))?.as ??
      null,
  };
}

/**
 * `messages/*\/content`: names from the outside in, `*` for any one, `**` for any number of them. Names are compared
 * without case. Linear in the path for each `**`.
 */
function pathTest(pattern: string): (path: string) => boolean {
  const wanted = pattern
    .toLowerCase()
    .split("/")
    .filter((name) => name !== "");
  return (path) => matches(wanted, path === "" ? [] : path.toLowerCase().split("/"));
}

function matches(wanted: readonly string[], names: readonly string[]): boolean {
  let at = 0;
  let want = 0;
  let star = -1;
  let resume = 0;
  while (at < names.length) {
    const next = wanted[want];
    if (next === "**") {
      star = want++;
      resume = at;
    } else if (next !== undefined && (next === "*" || next === names[at])) {
      want++;
      at++;
    } else if (star !== -1) {
      want = star + 1;
      at = ++resume;
    } else return false;
  }
  while (wanted[want] === "**") want++;
  return want === wanted.length;
}
