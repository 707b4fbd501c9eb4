import { readFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeValue } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterEach, beforeEach, expect, test } from "vitest";
import { textBelow } from "../redaction-proof/places.ts";
import { Store } from "./reenact.ts";

const NODE = fileURLToPath(new URL("../../packages/node/dist/index.js", import.meta.url));
const EMAIL = "ferdinand.okonkwo@north.harbour.test";
const PASSWORD = "vq7-Tangerine-88-Lock";

/** Values of many small objects, which are copied for the redaction thread; the agent changes them at once. */
const PROGRAM = `
import { agent, tool } from ${JSON.stringify(NODE)};
const rowsOf = () => Array.from({ length: 2500 }, (_, id) => ({
  id, at: new Date(id * 1e6), none: undefined, owner: { email: id % 1000 === 7 ? ${JSON.stringify(EMAIL)} : "x" },
  ...(id === 9 ? { password: ${JSON.stringify(PASSWORD)} } : {}),
}));
const list = tool("list", async () => rowsOf());
const take = tool("take", async (rows) => rows.length);
const work = agent("work", async (rows) => {
  const found = await list();
  const last = found[2499];
  found[0].id = "changed"; found.length = 1000;
  const rest = take(rows);
  rows[0].id = "changed"; rows.length = 10;
  console.log(await rest, last.at.toISOString(), last.id, "none" in last);
  return rowsOf();
});
await work(rowsOf());
if (process.env.STAYS) await new Promise((resolve) => setTimeout(resolve, 4000));
`;

let cwd: string;
let store: Store;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "reenact-copied-"));
  writeFileSync(join(cwd, "agent.mjs"), PROGRAM);
  store = new Store();
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
  store.remove();
});

const COMMAND = [process.execPath, "agent.mjs"];
type Row = { id: unknown; at: Date; none?: undefined; owner: { email: string }; password?: string };

test.each([
  ["the redaction thread", "1"],
  ["the agent's thread, at exit,", ""],
])(
  "a large value that %s reads is recorded as it was when it was handed over",
  { timeout: 120_000 },
  async (_, STAYS) => {
    const { summary, stdout } = await store.run(COMMAND, { cwd, env: { STAYS, REENACT_EXIT_MS: "60000" } });
    const run = summary.run ?? "";
    const { steps } = readEnvelope(readFileSync(store.path(run)));
    const [list, take] = steps.flatMap(({ record }) => (record.call === undefined ? [] : [record.call]));
    const rows = decodeValue(list?.result ?? "") as Row[];
    const [taken] = decodeValue(take?.args ?? "") as [Row[]];
    for (const each of [rows, taken]) {
      expect(each).toHaveLength(2500);
      expect([each[0]?.id, each[2499]?.at, each[2499]?.none]).toEqual([0, new Date(2499e6), undefined]);
      expect("none" in (each[2499] ?? {})).toBe(true);
      expect(each[7]?.owner.email).toMatch(/^EMAIL_/);
      expect(each[9]?.password).toMatch(/^[A-Z]+_[a-z]{4}_/);
    }
    for (const secret of [EMAIL, PASSWORD]) expect(textBelow(store.folder)).not.toContain(secret);
    const { report, stdout: again } = await store.replay(run, COMMAND, {
      cwd,
      env: { STAYS, REENACT_EXIT_MS: "60000" },
    });
    expect(report).toMatchObject({ verdict: "identical", divergence: null });
    expect(again).toBe(stdout);
  },
);
