import { hash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Client } from "pg";

/** Where the collectors of a test keep what they have. */
export interface CollectorSetUp {
  readonly settings: Readonly<Record<string, unknown>>;
  /** spans wait in the journal for a destination that is away; else they are read from sealed runs when it is back */
  readonly holdsBack: boolean;
  /** Removes the catalog of a collector that is stopped. */
  loseCatalog(): Promise<void>;
}

/** The set-ups on which the collector's own suites run, each for a folder of its own. */
const SET_UPS = {
  /** one process and one folder */
  embedded: (folder: string): CollectorSetUp => ({
    settings: { store: join(folder, "store"), pack: { age: 1 } },
    holdsBack: true,
    async loseCatalog() {
      const data = join(folder, "data");
      const lost = readdirSync(data).filter((name) => name.startsWith("catalog.sqlite"));
      if (lost.length === 0) throw new Error(`there is no catalog in ${data}`);
      for (const name of lost) rmSync(join(data, name));
    },
  }),
  /** a topic, a schema and a prefix of their own on the servers of `REENACT_TEST_SERVERS`, as `Distributed.shared` names them */
  distributed: (folder: string): CollectorSetUp => {
    const name = `t_${hash("sha256", basename(folder)).slice(0, 16)}`;
    const shared = JSON.parse(process.env["REENACT_TEST_SERVERS"] ?? "") as {
      readonly journal: { readonly url: string };
      readonly catalog: { readonly url: string };
      readonly s3: object;
    };
    const { journal, catalog, s3 } = shared;
    const url = journal.url.replace(/[^/]+$/, name);
    return {
      settings: {
        journal: { ...journal, url, group: name, partitions: 2 },
        catalog: { ...catalog, schema: name },
        store: `s3://runs/${name}`,
        s3,
        pack: { age: 1 },
      },
      holdsBack: false,
      async loseCatalog() {
        const client = new Client({ connectionString: catalog.url });
        await client.connect();
        try {
          await client.query(`DROP SCHEMA "${name}" CASCADE`);
        } finally {
          await client.end();
        }
      },
    };
  },
} as const;

/** Of the set-up that `REENACT_TEST_SET_UP` names; default: embedded. */
export function collectorSetUp(folder: string): CollectorSetUp {
  const name = process.env["REENACT_TEST_SET_UP"] ?? "embedded";
  if (name !== "embedded" && name !== "distributed") throw new Error(`REENACT_TEST_SET_UP: there is no ${name}`);
  return SET_UPS[name](folder);
}
