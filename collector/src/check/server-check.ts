/** One line of what a collector's servers are asked before it starts. */
export interface ServerCheck {
  /** what was looked at */
  readonly id: string;
  readonly ok: boolean;
  /** where, and what was found */
  readonly line: string;
  /** the next command or edit; null: it is as it must be */
  readonly fix: string | null;
}

export const pass = (id: string, line: string): ServerCheck => ({ id, ok: true, line, fix: null });
export const fail = (id: string, line: string, fix: string): ServerCheck => ({ id, ok: false, line, fix });
