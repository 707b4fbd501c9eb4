import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeResource, encodeScope } from "@reenact/envelope";
import { expect, test } from "vitest";
import { requestOf } from "../assemble/sample-spans.test.fixture.ts";
import { openStore } from "../store/open-store.ts";
import { cells, LASTS, retentionTable } from "./retention-table.test.fixture.ts";

const origin = (service: string) => ({
  resource: encodeResource({ "service.name": service }),
  resourceSchemaUrl: "",
  scope: encodeScope("test", "1"),
  scopeSchemaUrl: "",
});

test(
  "nothing that failed is gone after 4,000 days, and nothing that is well stays beyond its class",
  { timeout: 300_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "reenact-retention-"));
    try {
      const all = cells();
      expect(all.length).toBeGreaterThanOrEqual(120);
      // a real S3 server, where the caller passes one in
      const { REENACT_TEST_STORE: address, REENACT_TEST_ENDPOINT: endpoint } = process.env;
      const { store, close } = await openStore(address ?? folder, { endpoint, pathStyle: true });
      const table = await retentionTable(store, all, (service, spans) => requestOf(spans, origin(service)));
      const wrong = table.flatMap(({ cell, lasted, whole }) =>
        lasted === LASTS[cell.class] && whole
          ? []
          : [`${Object.values(cell).join(", ")}: ${lasted} days, ${whole ? "whole" : "not whole"}`],
      );
      close();
      expect(wrong).toEqual([]);
      process.stderr.write(`retention: ${all.length} runs over 4,000 days in ${address ?? "a folder"}\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
