import { isSystemMember, ROLE_MARK, roleOf, withRole } from "../structure/role.ts";

/** What a policy says of the values at a path. */
export interface PathPolicy {
  /** it denies some path */
  readonly denies: boolean;
  /** Null: nothing. What stands below a denied path is denied too, whatever is allowed. */
  of(path: string): "allow" | "deny" | null;
  /**
   * The shape that stands for a value of this type. A shape that the policy names for one path holds for values of its
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
  // a denied path is denied with all that stands below it
  const deny = (rules?.deny ?? []).map((path) => pathTest(`${path}/**`));
  const shapes = (rules?.shapes ?? []).map(({ path, as }) => ({ test: pathTest(path), as }));
  if (allow.length + deny.length + shapes.length === 0) return null;
  return {
    denies: deny.length > 0,
    of(path) {
      if (deny.some((test) => test(path))) return "deny";
      return allow.some((test) => test(path)) ? "allow" : null;
    },
    shapeOf: (path, type) =>
      (shapes.find(({ test }) => path !== null && test(path)) ?? shapes.find(({ as }) => TYPE_OF[as] === type))?.as ??
      null,
  };
}

/** `messages[role=system]`, or `[role=system]` alone. */
const SELECTOR = /^(.*)\[role=([A-Za-z_]{1,32})\]$/;

/** Why a path cannot be one of a policy; null: it can. */
export function pathProblem(path: string): string | null {
  for (const name of path.split("/"))
    if (/\[[^\]]*=/.test(name) && !SELECTOR.test(name)) return "only [role=…] selects objects, at the end of a name";
  return null;
}

/**
 * `messages/*\/content`: names from the outside in, `*` for any one, `**` for any number of them. Names are compared
 * without case. Linear in the path for each `**`. `messages[role=system]` are the elements of `messages` that have this
 * role, `[role=system]` the objects anywhere that have it; either covers what stands below. Of `system` they also cover
 * the member of a request in which a provider puts the system prompt.
 */
function pathTest(pattern: string): (path: string) => boolean {
  const wanted: string[] = [];
  let role = "";
  for (const name of pattern.split("/").filter((each) => each !== "")) {
    const [, object = "", selected] = SELECTOR.exec(name) ?? [];
    if (selected === undefined) wanted.push(name.toLowerCase());
    else {
      role = roleOf(selected);
      // the elements of an array stand below its name; `*` is the element itself
      if (object !== "*") wanted.push(object === "" ? "**" : object.toLowerCase());
      wanted.push(withRole("*", role));
    }
  }
  if (role === "") return (path) => matches(wanted, namesOf(path));
  wanted.push("**");
  const isPrompt = role === "system" && mayBePrompt(wanted);
  return (path) => {
    const names = namesOf(path);
    if (KIND.has(names.at(-1) ?? "")) return false;
    return matches(wanted, names) || (isPrompt && isPromptMember(names[0]));
  };
}

const namesOf = (path: string): string[] => (path === "" ? [] : path.toLowerCase().split("/"));

/** What an object with a role, and a part of its content, is known by. */
const KIND = new Set(["role", "type"]);

/** Whether a path with the role `system` names the messages of a request, and not objects of somewhere else. */
const mayBePrompt = ([first = ""]: readonly string[]): boolean =>
  ["**", "messages", "input", "contents"].includes(first);

function isPromptMember(name = ""): boolean {
  const [member = "", role] = name.split(ROLE_MARK);
  return role === "system" && (isSystemMember(member) || member === "systeminstruction");
}

function fits(want: string, name: string): boolean {
  const mark = name.indexOf(ROLE_MARK);
  const [object, role] = mark === -1 ? [name, ""] : [name.slice(0, mark), name.slice(mark)];
  const asked = want.indexOf(ROLE_MARK);
  if (asked !== -1) return role === want.slice(asked);
  return want === "*" || want === object;
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
    } else if (next !== undefined && fits(next, names[at] as string)) {
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
