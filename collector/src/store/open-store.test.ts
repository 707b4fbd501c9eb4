import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore, openStoreToRead } from "./open-store.ts";

let folder: string;
const before = process.cwd();
beforeEach(() => process.chdir((folder = mkdtempSync(join(tmpdir(), "stores-")))));
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

test.each(["gs://bucket/x", "S3://bucket/x", "s3:/bucket", "https://minio/bucket", "file:///var/lib/runs", "az://c"])(
  "%s is no folder, and none is made of it",
  async (address) => {
    const why = { code: "NO_BUCKET", message: expect.stringContaining("neither a folder nor s3://") as string };
    await expect(openStore(address)).rejects.toMatchObject(why);
    await expect(openStoreToRead(address)).rejects.toMatchObject(why);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test.each(["runs", "./runs", "a:b", "C:/runs"])("%s is a folder", async (address) => {
  const { close } = await openStore(address);
  close();
  expect(readdirSync(folder)).toHaveLength(1);
});

test.each(["s3://KEYID:pass/wo@rd@bucket/x", "https://KEYID:pass@minio:9000/bucket"])(
  "%s is refused without its user and password",
  async (address) => {
    const refused = await openStore(address).catch((error: unknown) => String(error));
    expect(refused).toContain("//…@");
    expect(refused).not.toMatch(/KEYID|pass|rd@/);
  },
);
