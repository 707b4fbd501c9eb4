import type { Position } from "../journal/journal.ts";
import type { Statement } from "../retain/said.ts";

interface Pending {
  readonly statement: Statement;
  readonly position: Position;
}

/** Marks and removals from the journal, until they are stored with a sealed revision of their run. */
export class PendingMarks {
  private readonly said = new Map<string, Pending[]>();

  /** `position`: of the journal entry. */
  add(tenant: string, run: string, pending: Pending): void {
    const key = `${tenant}/${run}`;
    const known = this.said.get(key);
    if (known) known.push(pending);
    else this.said.set(key, [pending]);
  }

  of(tenant: string, run: string): readonly Statement[] {
    return this.said.get(`${tenant}/${run}`)?.map(({ statement }) => statement) ?? [];
  }

  /** These are stored. */
  done(tenant: string, run: string, statements: readonly Statement[]): void {
    const key = `${tenant}/${run}`;
    const rest = this.said.get(key)?.filter(({ statement }) => !statements.includes(statement)) ?? [];
    if (rest.length > 0) this.said.set(key, rest);
    else this.said.delete(key);
  }

  /** The one run has become a part of the other. */
  move(tenant: string, from: string, to: string): void {
    for (const pending of this.said.get(`${tenant}/${from}`) ?? []) this.add(tenant, to, pending);
    this.said.delete(`${tenant}/${from}`);
  }

  /** Position of the oldest one that is not among `statements`; null: there is none. */
  first(statements: readonly Statement[]): Position | null {
    let first: Position | null = null;
    for (const { statement, position } of [...this.said.values()].flat()) {
      if (!statements.includes(statement) && (first === null || position < first)) first = position;
    }
    return first;
  }
}
