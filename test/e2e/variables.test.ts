import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const command = [process.execPath, join(import.meta.dirname, "../programs/asks-by-variable.mjs")];
const bench = ownBench();

test("a variable that is another now is told; it stays the recorded one unless it is asked for", async () => {
  const env = { PROVIDER_URL: bench.provider.url, MODEL: "echo-random" };
  const { summary } = await bench.store.run(command, { env });
  const run = summary.run ?? "";
  const same = await bench.store.replay(run, command, { env });
  expect(same.report).toMatchObject({ verdict: "identical", notes: [] });

  const other = { PROVIDER_URL: bench.provider.url, MODEL: "secret-plan", QUESTION: "what now?" };
  const unused = await bench.store.replay(run, command, { env: other });
  expect(unused.report.verdict).toBe("identical");
  expect(unused.report.notes).toEqual([
    "environment: as recorded, though it is another here: MODEL, QUESTION (--env <name> takes yours)",
  ]);
  expect(JSON.stringify(unused.report)).not.toContain("secret-plan");

  const used = await bench.store.replay(run, command, { env: other, flags: ["--env", "MODEL"] });
  expect(used.code).toBe(10);
  expect(used.report.findings).toContain("environment-changed");
  expect(used.report.divergence).toMatchObject({ verdict: "params", pointer: "/model" });
  expect(used.report.notes).toContain("environment: not as recorded, but your own: MODEL");
});

test("time zone and locale are taken from the caller if asked for", async () => {
  const zoned = [process.execPath, join(import.meta.dirname, "../programs/tells-local-time.mjs")];
  const at = { PROVIDER_URL: bench.provider.url };
  const env = { ...at, TZ: "Europe/Berlin", LC_ALL: "de_DE.UTF-8" };
  const { summary, stdout } = await bench.store.run(zoned, { env });
  expect(stdout).toBe("Europe/Berlin 1.234,5\n");
  const run = summary.run ?? "";
  const mine = { ...at, TZ: "Asia/Tokyo", LC_ALL: "en_US.UTF-8" };
  const unused = await bench.store.replay(run, zoned, { env: mine });
  expect(unused.stdout).toBe(stdout);
  expect(unused.report.verdict).toBe("identical");
  expect(unused.report.notes).toEqual([
    "environment: as recorded, though it is another here: LC_ALL, TZ (--env <name> takes yours)",
  ]);

  const zone = await bench.store.replay(run, zoned, { env: mine, flags: ["--env", "TZ"] });
  expect(zone.stdout).toBe("Asia/Tokyo 1.234,5\n");
  const locale = await bench.store.replay(run, zoned, { env: mine, flags: ["--env", "LC_ALL"] });
  expect(locale.stdout).toBe("Europe/Berlin 1,234.5\n");
  expect(locale.report.verdict).toBe("diverged");
  expect(locale.report.notes).toContain("environment: not as recorded, but your own: LC_ALL");
});

test("a program that lists its variables sees those of then, in their order, and no others", async () => {
  const lister = [process.execPath, join(import.meta.dirname, "../programs/lists-variables.mjs")];
  const long = "x".repeat(600);
  const env = { PROVIDER_URL: bench.provider.url, ["for ada@example.com"]: "1", LISTED: "then", ONLY_THEN: long };
  const { summary, stdout } = await bench.store.run(lister, { env });
  const run = summary.run ?? "";
  const { stdout: raw } = await bench.store.command("show", run, "--raw");
  expect(raw).toContain("environmentNames");
  expect(raw).not.toContain("ada@example.com");

  const other = { PROVIDER_URL: bench.provider.url, LISTED: "now", ONLY_NOW: "1" };
  const replayed = await bench.store.replay(run, lister, { env: other });
  // the name of a variable that holds somebody's address is not in the record
  const shown = stdout.replaceAll("for ada@example.com", "for TOKEN");
  expect(replayed.stdout.replaceAll(/EMAIL_[a-z]{4}_[a-z]{16}/g, "TOKEN")).toBe(shown);
  expect({ verdict: replayed.report.verdict, divergence: replayed.report.divergence }).toEqual({
    verdict: "identical",
    divergence: null,
  });
  expect(replayed.report.notes).toContain("environment: 1 names of variables are redacted in the record");
  expect(replayed.report.notes).toContain(
    "environment: listed as recorded, without 1 variables that only this machine has",
  );

  const changed = await bench.store.replay(run, [...lister, "one more"], { env: other });
  expect(changed.code).toBe(10);
  expect(changed.report.divergence).toMatchObject({ step: 1, verdict: "changed" });
  const taken = await bench.store.replay(run, lister, { env: other, flags: ["--env", "ONLY_NOW"] });
  expect(taken.report.divergence).toMatchObject({ step: 1, verdict: "changed" });
});

const NAMES_FOLDERS = `
const { tool } = await import(${JSON.stringify(import.meta.resolve("@reenact/node"))});
const { PWD, OLDPWD, APP_CREDENTIALS } = process.env;
const answer = await fetch(process.env.PROVIDER_URL + "/v1/chat/completions", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    model: "echo-random",
    messages: [{ role: "user", content: "Read /depot/desk/notes.md, not /shelf/notes.md; see /vaults/app.creds" }],
  }),
});
await tool("read", async (file) => file.length)("/depot/desk/notes.md");
console.log(PWD, OLDPWD, APP_CREDENTIALS, answer.status);
`;

test("a folder under the name of a secret is the same text wherever it stands", async () => {
  const file = join(bench.folder, "folders.mjs");
  writeFileSync(file, NAMES_FOLDERS);
  const env = {
    PROVIDER_URL: bench.provider.url,
    PWD: "/depot/desk",
    OLDPWD: "/shelf",
    APP_CREDENTIALS: "/vaults/app.creds",
  };
  const { summary, stdout } = await bench.store.run([process.execPath, file], { env });
  expect(stdout).toBe("/depot/desk /shelf /vaults/app.creds 200\n");
  const run = summary.run ?? "";
  const { report } = await bench.store.replay(run, [process.execPath, file], { env });
  expect(report, JSON.stringify(report.divergence)).toMatchObject({ verdict: "identical", findings: [] });
});
