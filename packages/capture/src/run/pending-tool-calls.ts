import type { RequestedToolCall } from "../span/dialect.ts";

interface Pending {
  readonly place: string;
  readonly ask: RequestedToolCall;
}

/** Calls that no tool has taken, in all lists of a run, by the names of their tools. */
export class PendingCount {
  readonly #open = new Map<string, number>();

  add(name: string, calls: number): void {
    const key = toolKey(name);
    this.#open.set(key, (this.#open.get(key) ?? 0) + calls);
  }

  /** Without the tools that a library runs under a hook: such a call was not carried out, for example not approved. */
  get unrecorded(): number {
    let calls = 0;
    for (const [key, open] of this.#open) if (!heldTools.has(key)) calls += open;
    return calls;
  }
}

/** Tools of this process that a hook records whenever their library runs them. */
const heldTools = new Set<string>();
const MOST_HELD = 10_000;

/** Says that a hook records each call of the tool of that name. */
export function holdTool(name: string): void {
  if (heldTools.size < MOST_HELD) heldTools.add(toolKey(name));
}

/** Libraries change the spelling of a tool's name for the model. */
const toolKey = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** At most this many are kept, the newest: an agent whose tools are not recorded takes none. */
const MOST = 256;

/** Tool calls that the answers of one frame asked for and no tool has taken yet. */
export class PendingToolCalls {
  readonly #count: PendingCount;
  #pending: Pending[] = [];
  /** of these, those ahead of which a library has stopped for a person */
  readonly #held = new WeakSet<Pending>();

  constructor(count: PendingCount = new PendingCount()) {
    this.#count = count;
  }

  /** `place` is `op|n` of the LLM step */
  add(place: string, calls: readonly RequestedToolCall[]): void {
    for (const ask of calls) {
      this.#count.add(ask.name, 1);
      this.#pending.push({ place, ask });
    }
    if (this.#pending.length > MOST) this.#pending = this.#pending.slice(-MOST);
  }

  /** Newest answer first; equal arguments before an only candidate of that name. */
  take(name: string, args: readonly unknown[]): string | null {
    const named = this.#pending.filter((p) => p.ask.name === name);
    if (named.length === 0) return null;
    const places = [...new Set(named.map((p) => p.place))].reverse();
    for (const place of places) {
      const group = named.filter((p) => p.place === place);
      const hit = group.find((p) => sameArguments(p.ask.args, args)) ?? (group.length === 1 ? group[0] : undefined);
      if (hit === undefined) continue;
      this.#remove(hit);
      return `${hit.place}.${hit.ask.index}`;
    }
    return null;
  }

  takeById(id: string): string | null {
    const hit = this.#pending.find((p) => p.ask.id === id);
    if (hit === undefined) return null;
    this.#remove(hit);
    return `${hit.place}.${hit.ask.index}`;
  }

  #remove(hit: Pending): void {
    this.#pending = this.#pending.filter((p) => p !== hit);
    if (!this.#held.has(hit)) this.#count.add(hit.ask.name, -1);
  }

  /**
   * A library has stopped and asks a person: calls of the newest answer that the question names, or all of them where it names none,
   * have not been carried out. Calls of earlier answers have, since the model has got their results. `asked`: the question as JSON.
   */
  hold(asked: string): void {
    const newest = this.#pending.filter(({ place }) => place === this.#pending.at(-1)?.place);
    const named = newest.filter(({ ask: { id, name } }) =>
      [id, name].some((word) => word !== null && asked.includes(JSON.stringify(word))),
    );
    for (const call of named.length > 0 ? named : newest) {
      if (this.#held.has(call)) continue;
      this.#held.add(call);
      this.#count.add(call.ask.name, -1);
    }
  }

  get size(): number {
    return this.#pending.length;
  }
}

function sameArguments(asked: string, args: readonly unknown[]): boolean {
  let wanted: unknown;
  try {
    wanted = JSON.parse(asked === "" ? "{}" : asked);
  } catch {
    return args.length > 0 && args[0] === asked;
  }
  if (args[0] === asked || equal(wanted, args[0])) return true;
  if (args.length === 0) return equal(wanted, {});
  return typeof wanted === "object" && wanted !== null && !Array.isArray(wanted) && equal(Object.values(wanted), args);
}

function equal(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || depth > 64) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (k) =>
      Object.hasOwn(b, k) && equal((a as Record<string, unknown>)[k], (b as Record<string, unknown>)[k], depth + 1),
  );
}
