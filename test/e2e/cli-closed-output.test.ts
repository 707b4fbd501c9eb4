import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bin } from "./reenact.ts";

const folder = mkdtempSync(join(tmpdir(), "cli-closed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whoever reads the command's output has gone before it says anything. */
async function unread(...args: string[]): Promise<{ code: unknown; stderr: string }> {
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr };
}

test.each([
  ["doctor --json", 0],
  ["--help", 0],
  ["run --quiet --json -- sh -c 'exit 7'", 7],
])("reenact %s | true ends without a word", async (line, code) => {
  const args = line.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", "")) ?? [];
  expect(await unread(...args)).toEqual({ code, stderr: "" });
});
