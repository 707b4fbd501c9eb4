import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** In a process whose files may have 64 KiB: the system takes what fits of a write, and says no more than how much it was. */
test("a write of which the system takes a part is refused as a whole, and what is written in its place is read", () => {
  const folder = mkdtempSync(join(tmpdir(), "spool-"));
  folders.push(folder);
  const program = join(folder, "program.mjs");
  writeFileSync(
    program,
    `import { openSpool } from ${JSON.stringify(join(import.meta.dirname, "spool.ts"))};
    const spool = openSpool(${JSON.stringify(join(folder, "spool"))});
    const writer = spool.open();
    const told = [];
    for (const [letter, length] of [["a", 40_000], ["b", 40_000], ["c", 10_000]]) {
      const entry = { tenant: "t", kind: 1, receivedAt: 1, body: Buffer.alloc(length, letter) };
      try {
        const [{ block, record, body }] = await writer.write([entry]);
        const bytes = Buffer.from(await spool.bytes({ block, record, offset: body, length }));
        told.push([letter, bytes.equals(entry.body)]);
      } catch (error) {
        told.push([letter, error.code]);
      }
    }
    await spool.close();
    console.log(JSON.stringify(told));`,
  );
  const node = [process.execPath, "--conditions=@reenact/source", program].map((each) => `'${each}'`).join(" ");
  const ended = spawnSync("bash", ["-c", `trap '' XFSZ; ulimit -f 64; exec ${node}`], { encoding: "utf8" });
  expect(ended.stderr).toBe("");
  expect(JSON.parse(ended.stdout)).toEqual([
    ["a", true],
    ["b", expect.stringMatching(/^(NO_SPACE|IO)$/)],
    ["c", true],
  ]);
});
