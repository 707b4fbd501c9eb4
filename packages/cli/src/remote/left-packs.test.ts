import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { leftPacks } from "./left-packs.ts";

const store = mkdtempSync(join(tmpdir(), "left-packs-"));
afterAll(() => rmSync(store, { recursive: true, force: true }));

test("a store without packs has none, whatever else lies in it", () => {
  expect(leftPacks(join(store, "none"))).toBeNull();
  const day = join(store, "packs/v1/runs/short/default/2026/11/22");
  mkdirSync(day, { recursive: true });
  mkdirSync(join(store, "packs/v1/probe"));
  writeFileSync(join(store, "packs/v1/probe/one"), "");
  expect(leftPacks(store)).toBeNull();
  writeFileSync(join(day, "one"), "");
  expect(leftPacks(store)).toBe(join(store, "packs"));
});
