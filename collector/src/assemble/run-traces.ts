import type { OpenRun } from "./open-run.ts";

/** The traces in which open and sealing runs have spans. A key is `tenant/id`. */
export class RunTraces {
  private readonly open = new Map<string, Set<string>>();
  private readonly sealing = new Map<string, number>();

  /** An open run has a span of its own in the trace. */
  add(run: OpenRun, trace: string): void {
    if (run.traces.at(-1) === trace || run.traces.includes(trace)) return;
    run.traces.push(trace);
    const key = `${run.tenant}/${trace}`;
    const runs = this.open.get(key);
    if (runs) runs.add(`${run.tenant}/${run.id}`);
    else this.open.set(key, new Set([`${run.tenant}/${run.id}`]));
  }

  /** Keys of the open runs. */
  openIn(key: string): readonly string[] {
    return [...(this.open.get(key) ?? [])];
  }

  has(key: string): boolean {
    return this.open.has(key) || this.sealing.has(key);
  }

  /** An open run is sealed from now on. */
  close(run: OpenRun): void {
    for (const trace of run.traces) {
      const key = `${run.tenant}/${trace}`;
      const runs = this.open.get(key);
      runs?.delete(`${run.tenant}/${run.id}`);
      if (runs?.size === 0) this.open.delete(key);
      this.sealing.set(key, (this.sealing.get(key) ?? 0) + 1);
    }
  }

  /** Called when a run is sealed. */
  sealed(run: OpenRun): void {
    for (const trace of run.traces) {
      const key = `${run.tenant}/${trace}`;
      const count = (this.sealing.get(key) ?? 0) - 1;
      if (count > 0) this.sealing.set(key, count);
      else this.sealing.delete(key);
    }
  }
}
