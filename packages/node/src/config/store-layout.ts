import { join, resolve } from "node:path";

/** Where everything lies in a local store. All paths are absolute. */
export interface StoreLayout {
  readonly folder: string;
  /** one sealed run per file: `<run id>.reenact` */
  readonly runs: string;
  /** recorded and not sealed yet */
  readonly spool: string;
  readonly gitignore: string;
  envelope(run: string): string;
}

const RUN_ID = /^[0-9a-f]{32}$/;

export function storeLayout(folder: string): StoreLayout {
  const root = resolve(folder);
  const runs = join(root, "runs");
  return {
    folder: root,
    runs,
    spool: join(root, "spool"),
    gitignore: join(root, ".gitignore"),
    envelope(run) {
      // a name out of recorded data must never become a path
      if (!RUN_ID.test(run)) throw new TypeError(`not a run id: ${JSON.stringify(run.slice(0, 64))}`);
      return join(runs, `${run}.reenact`);
    },
  };
}
