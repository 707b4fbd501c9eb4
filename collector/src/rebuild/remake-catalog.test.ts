import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { PackBuilder } from "@reenact/envelope/pack";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Catalog } from "../catalog/catalog.ts";
import { catalogAddress, draftOf, openCatalog } from "../catalog/open-catalog.ts";
import { catalogSettings, TEST_DATABASE } from "../catalog/test-catalog.test.fixture.ts";
import { sampleRow } from "../catalog/sample-row.test.fixture.ts";
import { segmentPath } from "../journal/drivers/local/segment-name.ts";
import { positionAt } from "../journal/drivers/local/segment-place.ts";
import { type Log, noLog } from "../log.ts";
import { remakeCatalog } from "./remake-catalog.ts";
import { ASSEMBLER } from "../assemble/assembler-cursor.ts";
import { openStore } from "../store/open-store.ts";

const golden = readFileSync(join(import.meta.dirname, "../../../test/fixtures/envelopes/v1-parallel-calls.reenact"));
const { header, manifest, id } = readEnvelope(golden);
let folder: string;
let config: Parameters<typeof remakeCatalog>[0];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "reenact-remake-"));
  config = {
    data: join(folder, "data"),
    catalog: catalogSettings(folder),
    store: join(folder, "store"),
    s3: { pathStyle: false, lifecycle: false, acceptForeignLifecycle: false },
    forward: [],
  };
  mkdirSync(join(config.data, "journal"), { recursive: true });
  const builder = new PackBuilder({ class: header.class, tenant: "default", day: "2026-11-22" });
  builder.add({ header, manifest, length: golden.length, receipt: { first: 1, last: 2 } });
  const { key, footer } = builder.finish();
  const { store } = await openStore(config.store);
  await store.put(key, Buffer.concat([golden, footer]));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function catalog<T>(work: (opened: Catalog) => Promise<T>): Promise<T> {
  const opened = await openCatalog(catalogAddress(config));
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
vi.setConfig({ testTimeout: 60_000 });
const remake = () => remakeCatalog(config, { log: noLog });

test.skipIf(TEST_DATABASE === undefined)(
  "a catalog that other processes use is not replaced, whether they came before or meanwhile",
  { timeout: 30_000 },
  async () => {
    const inUse = expect.objectContaining({
      code: "IN_USE",
      message: expect.stringMatching(/^1 connections use postgres:/),
    });
    await remake();
    const user = await openCatalog(catalogAddress(config));
    // the connections of a catalog are made when something is asked
    await user.apply({ upsert: [{ row: sampleRow() }] });
    await expect(remake()).rejects.toEqual(inUse);
    expect(await user.get("default", sampleRow().run)).not.toBeNull();
    await user.close();
    let late: Catalog | null = null;
    const log: Log = (_, event) => {
      if (event === "catalog.rebuilt") void openCatalog(catalogAddress(config)).then((opened) => (late = opened));
    };
    await expect(remakeCatalog(config, { log })).rejects.toEqual(inUse);
    await late!.close();
    expect(await remake()).toMatchObject({ replaced: true });
  },
);

test.skipIf(TEST_DATABASE === undefined)(
  "two do not make a catalog again at once: both would write the same draft",
  { timeout: 30_000 },
  async () => {
    await remake();
    const other = await openCatalog(draftOf(catalogAddress(config)));
    try {
      await other.apply({ upsert: [{ row: sampleRow() }] });
      await expect(remake()).rejects.toMatchObject({ code: "IN_USE" });
      expect(await other.get("default", sampleRow().run)).not.toBeNull();
    } finally {
      await other.close();
    }
    expect(await remake()).toMatchObject({ replaced: true });
  },
);

test("rows that are the same, changed, new and gone are told apart", async () => {
  expect(await remake()).toMatchObject({ runs: 1, packs: 1, rows: null, replaced: true });
  expect(await remake()).toMatchObject({ rows: { same: 1, changed: 0, added: 0, gone: 0 } });
  await catalog(async (opened) => {
    const row = (await opened.get("default", id))!;
    await opened.apply({ upsert: [{ row: { ...row, flags: ["forged"] } }, { row: sampleRow() }] });
  });
  expect(await remake()).toMatchObject({ rows: { same: 0, changed: 1, added: 0, gone: 1 } });
  await catalog((opened) => opened.apply({ remove: [{ tenant: "default", run: id }] }));
  expect(await remake()).toMatchObject({ rows: { same: 0, changed: 0, added: 1, gone: 0 } });
  expect(await catalog((opened) => opened.get("default", id))).toMatchObject({ run: id, flags: manifest.flags });
});

test("a place in the journal is kept, but for one past its end: that journal was lost", async () => {
  await remake();
  writeFileSync(segmentPath(join(config.data, "journal"), 3), Buffer.alloc(100));
  const after = async (place: string) => {
    await catalog((opened) => opened.apply({ cursors: { [ASSEMBLER]: place } }));
    await remake();
    return catalog((opened) => opened.cursor(ASSEMBLER));
  };
  for (const place of [positionAt(1, 50), positionAt(3, 0), positionAt(3, 100)]) expect(await after(place)).toBe(place);
  for (const place of [positionAt(3, 101), positionAt(4, 0), "3:100"]) expect(await after(place)).toBeNull();
});

test.skipIf(TEST_DATABASE !== undefined)("a catalog that is no database is replaced", async () => {
  writeFileSync(
    join(config.data, "catalog.sqlite"),
    "not a database at all, but long enough to be looked at".repeat(40),
  );
  expect(await remake()).toMatchObject({ runs: 1, rows: null, replaced: true });
  expect(await remake()).toMatchObject({ rows: { same: 1 } });
});
