import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JournalError } from "../../journal-error.ts";
import { createLocalJournal } from "./local-journal.ts";

const files = (query: string) => `${new URL("crash-files.test.fixture.ts", import.meta.url).href}?${query}`;

test("a worker that ends at its start, and one that ends later, are said and never waited for", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dead-"));
  const options = { folder, minFreeBytes: 0 };
  await expect(createLocalJournal({ ...options, files: files("point=create:after&count=1") })).rejects.toMatchObject({
    code: "IO",
  });
  const said: JournalError[] = [];
  const onDead = (error: JournalError) => said.push(error);
  const journal = await createLocalJournal({ ...options, onDead, files: files("point=sync:before&count=2") });
  const entry = { tenant: "t", kind: 1, receivedAt: 0, body: Buffer.from("x") };
  await expect(journal.append(entry)).rejects.toMatchObject({ code: "CLOSED" });
  await expect(journal.append(entry)).rejects.toMatchObject({ code: "CLOSED" });
  expect(said).toHaveLength(1);
  await journal.close();
  rmSync(folder, { recursive: true });
});

test("a disk that stays full while segments are begun is not filled with empty ones", async () => {
  const folder = mkdtempSync(join(tmpdir(), "full-"));
  const journal = await createLocalJournal({
    folder,
    minFreeBytes: 0,
    segmentBytes: 1,
    files: files("point=write:half&count=4&fate=ENOSPC&times=10"),
  });
  const entry = () => journal.append({ tenant: "t", kind: 1, receivedAt: 0, body: Buffer.from("x") });
  await entry();
  const before = readdirSync(folder).filter((name) => name.endsWith(".journal"));
  for (let tries = 0; tries < 10; tries++) await expect(entry()).rejects.toMatchObject({ code: "NO_SPACE" });
  expect(readdirSync(folder).filter((name) => name.endsWith(".journal"))).toEqual(before);
  await entry();
  await journal.close();
  rmSync(folder, { recursive: true });
});
