import type { Position } from "../journal/journal.ts";
import type { MarkChange } from "../retain/mark-list.ts";

interface Pending {
  readonly change: MarkChange;
  readonly position: Position;
}

/** Marks and removals from the journal, until they are stored with a sealed revision of their run. */
export class PendingMarks {
  private readonly byRun = new Map<string, Pending[]>();

  /** `position`: of the journal entry. */
  add(tenant: string, run: string, pending: Pending): void {
    const key = `${tenant}/${run}`;
    const known = this.byRun.get(key);
    if (known) known.push(pending);
    else this.byRun.set(key, [pending]);
  }

  of(tenant: string, run: string): readonly MarkChange[] {
    return this.byRun.get(`${tenant}/${run}`)?.map(({ change }) => change) ?? [];
  }

  /** These are stored. */
  done(tenant: string, run: string, changes: readonly MarkChange[]): void {
    const key = `${tenant}/${run}`;
    const rest = this.byRun.get(key)?.filter(({ change }) => !changes.includes(change)) ?? [];
    if (rest.length > 0) this.byRun.set(key, rest);
    else this.byRun.delete(key);
  }

  /** The one run has become a part of the other. */
  move(tenant: string, from: string, to: string): void {
    for (const pending of this.byRun.get(`${tenant}/${from}`) ?? []) this.add(tenant, to, pending);
    this.byRun.delete(`${tenant}/${from}`);
  }

  /** Of the journal entries of all of them. */
  positions(): Position[] {
    return [...this.byRun.values()].flat().map(({ position }) => position);
  }

  /** Position of the oldest one that is not among `changes`; null: there is none. */
  first(changes: readonly MarkChange[]): Position | null {
    let first: Position | null = null;
    for (const { change, position } of [...this.byRun.values()].flat()) {
      if (!changes.includes(change) && (first === null || position < first)) first = position;
    }
    return first;
  }
}
