import type { Said } from "./sink.ts";

/** A run keeps so many flags and so many tags. */
const MOST = 1000;
/** Longer ones are cut. */
const LONGEST = 4096;

/** In the body of which step each was said, by number; -1: outside. A replay that serves the step does not say it. */
export interface MetadataScopes {
  /** in the order of the flags */
  flags?: number[];
  tags?: number[];
  user?: number;
  session?: number;
}

/** What the agent has said of its run. */
export class RunSaid {
  readonly flags: string[] = [];
  readonly tags = new Set<string>();
  user: string | undefined;
  session: string | undefined;
  /** null: nothing was said */
  scopes: MetadataScopes | null = null;
  #full = false;

  /** Some flags or tags were left out. */
  get isFull(): boolean {
    return this.#full;
  }

  /** Returns what is kept of it; null: nothing new. `scope`: number of the step in whose body it is said; -1 outside. */
  add(said: Said, scope: number): Said | null {
    const flags = this.#fitting(said.flags ?? [], MOST - this.flags.length);
    const tags = this.#fitting(
      (said.tags ?? []).filter((tag) => !this.tags.has(tag)),
      MOST - this.tags.size,
    );
    const user = said.user?.slice(0, LONGEST);
    const session = said.session?.slice(0, LONGEST);
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

  /** null: nothing was said. */
  all(): Said | null {
    const { flags, user, session, tags } = this;
    const all = {
      ...(flags.length > 0 && { flags }),
      ...(user !== undefined && { user }),
      ...(session !== undefined && { session }),
      ...(tags.size > 0 && { tags: [...tags] }),
    };
    return Object.keys(all).length === 0 ? null : all;
  }

  #place({ flags = [], tags = [], user, session }: Said, scope: number): void {
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
