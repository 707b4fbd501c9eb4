/** One line of `reenact doctor`. */
export interface Check {
  id: string;
  ok: boolean;
  line: string;
  fix: string | null;
  /** the command ends with this code; default 1 where a check fails */
  exit?: number;
}

export const pass = (id: string, line: string): Check => ({ id, ok: true, line, fix: null });
export const fail = (id: string, line: string, fix: string): Check => ({ id, ok: false, line, fix });
