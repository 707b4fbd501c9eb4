import type { RunMetadata } from "./sink.ts";

/** A run keeps so many flags and so many tags. */
const MOST = 1000;
/** Longer ones are cut. */
const LONGEST = 4096;

/** Scope of a session that the environment of the process gives: no program said it, so a replay does not compare it. */
export const FROM_ENVIRONMENT = -2;

/** Number of the step in whose body each was added; -1: outside; -2: the environment of the process gives it. A replay that serves the step does not add it. */
export interface MetadataScopes {
  /** in the order of the flags */
  flags?: number[];
  tags?: number[];
  user?: number;
  session?: number;
}

/** Metadata that the agent has added to its run. Bounded. */
export class MetadataLog {
  readonly flags: string[] = [];
  readonly tags = new Set<string>();
  user: string | undefined;
  session: string | undefined;
  /** null: there is none */
  scopes: MetadataScopes | null = null;
  #full = false;

  /** Some flags or tags were left out. */
  get isFull(): boolean {
    return this.#full;
  }

  /** Returns what is kept of it; null: nothing new. `scope`: number of the step in whose body it is added; -1 outside. */
  add(given: RunMetadata, scope: number): RunMetadata | null {
    const flags = this.#fitting(given.flags ?? [], MOST - this.flags.length);
    const tags = this.#fitting(
      (given.tags ?? []).filter((tag) => !this.tags.has(tag)),
      MOST - this.tags.size,
    );
    const user = given.user?.slice(0, LONGEST);
    const session = given.session?.slice(0, LONGEST);
    const kept = {
      ...(flags.length > 0 && { flags }),
      ...(user !== undefined && { user }),
      ...(session !== undefined && { session }),
      ...(tags.length > 0 && { tags }),
    };
    if (Object.keys(kept).length === 0) return null;
    this.#place(kept, scope);
    this.flags.push(...flags);
    for (const tag of tags) this.tags.add(tag);
    this.user = user ?? this.user;
    this.session = session ?? this.session;
    return kept;
  }

  /** null: there is none. */
  all(): RunMetadata | null {
    const { flags, user, session, tags } = this;
    const all = {
      ...(flags.length > 0 && { flags }),
      ...(user !== undefined && { user }),
      ...(session !== undefined && { session }),
      ...(tags.size > 0 && { tags: [...tags] }),
    };
    return Object.keys(all).length === 0 ? null : all;
  }

  #place({ flags = [], tags = [], user, session }: RunMetadata, scope: number): void {
    const scopes = (this.scopes ??= {});
    if (flags.length > 0) (scopes.flags ??= []).push(...flags.map(() => scope));
    if (tags.length > 0) (scopes.tags ??= []).push(...tags.map(() => scope));
    if (user !== undefined) scopes.user = scope;
    if (session !== undefined) scopes.session = scope;
  }

  #fitting(texts: readonly string[], room: number): string[] {
    if (texts.length > room) this.#full = true;
    return texts.slice(0, Math.max(0, room)).map((text) => text.slice(0, LONGEST));
  }
}
