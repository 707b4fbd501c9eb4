import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { redactedCommand } from "./redacted-command.ts";

const store = mkdtempSync(join(tmpdir(), "reenact-command-"));
const shown = (...command: string[]): string => redactedCommand(command, { store }).join(" ");
const KEY = "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";

test("a command without secrets stays as it is", () => {
  for (const command of [
    ["node", "agent.js"],
    ["node", "agent.js", "--fast", "two words"],
    ["npm", "run", "dev"],
  ])
    expect(shown(...command)).toBe(command.join(" "));
});

test.each([
  [["node", "agent.js", KEY], KEY],
  [["node", "agent.js", "--token", "hunter2-x9-Zebra4"], "hunter2"],
  [["node", "agent.js", "--password=hunter2-x9-Zebra4"], "hunter2"],
  [["sh", "-c", "API_KEY=hunter2-x9-Zebra4 node agent.js"], "hunter2"],
  [["node", "agent.js", "postgres://ada:hunter2x9@db/x"], "hunter2"],
  [["curl", "-u", "ada:hunter2-x9-Zebra4", "https://h.example"], "hunter2"],
])("%j: a token stands for the secret", (command, secret) => {
  expect(shown(...command)).not.toContain(secret);
  expect(shown(...command)).toMatch(/_[a-z]{4}_[a-z]{16}/);
});
