import { describe, expect, test } from "vitest";
import { PROVIDER_KEYS } from "../../policy/provider-keys.ts";
import { createScanner } from "../../scan/scan.ts";
import { sampleKey } from "../keys/sample-key.test.fixture.ts";

const scanner = createScanner((type) => type === "KEY");
const found = (text: string): string[] =>
  scanner.scan(text, 0, text.length).map(({ start, end }) => text.slice(start, end));

/** Draws evenly, the same at every run. */
function drawing(seed: number): (alphabet: string) => string {
  let state = seed;
  return (alphabet) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet[(state >>> 8) % alphabet.length] as string;
  };
}

test("there are 200 formats and more, each with an id of its own", () => {
  expect(PROVIDER_KEYS.length).toBeGreaterThanOrEqual(200);
  expect(new Set(PROVIDER_KEYS.map(([id]) => id)).size).toBe(PROVIDER_KEYS.length);
});

describe.each(PROVIDER_KEYS.map((format) => [format[0], format] as const))("%s", (_id, format) => {
  const sample = sampleKey(format, drawing(7));
  const secret = format[2].endsWith("/") ? sample.slice(sample.indexOf(format[2]) + format[2].length) : sample;

  test("is found alone, quoted, assigned, in a sentence", () => {
    for (const text of [sample, `"${sample}"`, `KEY=${sample}`, `use ${sample}.`, `(${sample})`, `a\\n${sample}\\nb`]) {
      expect(found(text).join(), text).toContain(secret);
    }
  });

  test("stays when it is a placeholder, cut, or part of a word", () => {
    const of = (pick: (alphabet: string) => string): string => sampleKey(format, pick);
    const x = of((alphabet) => (alphabet.includes("x") ? "x" : alphabet.includes("X") ? "X" : (alphabet[0] as string)));
    expect(found(x)).toEqual([]);
    expect(found(`word${sample}`).join()).not.toContain(sample);
    const cut = format[4] === undefined ? format[2] : sample.slice(0, Math.floor(sample.length / 3));
    expect(found(cut)).toEqual([]);
  });
});

test("a plus before a key parts it from what stands before, if base64 could not go on", () => {
  expect(found("q=a+ghp_16C7e42F292c6912E7710c838347Ae178B4a")).toEqual(["ghp_16C7e42F292c6912E7710c838347Ae178B4a"]);
  expect(found("aGVsbG8+AKIAQWERTYUIOPASDF2X")).toEqual([]);
});

const LOOK_ALIKES: readonly string[] = [
  "sk-loading-indicator-container",
  "AKIAIOSFODNN7EXAMPLE",
  "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "xoxb-your-bot-token-goes-here",
  "task_live_view_of_the_calendar_widget",
  "call_oIHaXyZ1234567890abcdef toolu_01A09q90qw90lq917835lq9 msg_01Aq9w938a90dw8q req_011CSHoEeqs5C35K2UUqR7Fy",
  "resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b thread_abc123DEF456ghi789JKL012 run_abc123DEF456ghi789JKL012",
];
test.each(LOOK_ALIKES)("%s stays", (text) => expect(found(text)).toEqual([]));

test.each([
  "glpat-Clt3dH68tFT5BDrFv8T_-MMDv8A.47.qo8dvps",
  "glrt-t3_aB3dE5fG7hJ9kL2mN4pQ",
  `ya29.c.${"b0Aaekm1K".repeat(12)}`,
  `https://discord.com/api/v10/webhooks/112233445566778899/${"aB3dE5fG7h".repeat(7).slice(0, 68)}`,
])("%s is found to its end", (key) => {
  const secret = key.split("/webhooks/").at(-1) as string;
  expect(found(`at ${key}. Then`).join()).toMatch(new RegExp(`${secret.replaceAll(/[.?]/g, "\\$&")}$`));
});

test("a point behind a key that may hold one ends the sentence", () => {
  const key = `pscale_tkn_${"aB3dE5fG7h".repeat(4)}`;
  expect(found(`It is ${key}. Keep it.`)).toEqual([key]);
});

test("a key behind a dash or an underscore of a name is found, a slug with the same letters is none", () => {
  const key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  for (const name of [`session_${key}`, `user-${key}`]) expect(found(name)).toEqual([key]);
  expect(found("my-sk-proj-design-system-button-large-primary-blue-component")).toEqual([]);
});

test.each([
  "sk-aB3dE5fG7hJ9kL2mN4pQ6rS8",
  "sk-ant-api03-aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zA7bC9dE2fG4hJ6kL8mN1pQ3rS5tU7vW9xY2zA4bC6dE8fG1hJ3kL5mN7pQ9rS2tU4-vW6xY8AA",
  "AKIAQWERTYUI0PASDF2X",
  "AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
  "hf_aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5z",
])("%s behind a sign of a name", (key) => {
  for (const name of [`x-${key}`, `session_${key}`, `prod-1_${key}`, `a.b-${key} and more`])
    expect(found(name).join(), name).toBe(key);
});

test.each([
  "x-sk-4f2a9c81e07b3d56a8c1",
  "task-sk-2024-05-06-backup-run",
  "my_sk_live_preview_component_2",
  "user-pk-button-large-2xl-primary",
  "feature-AKIA-rotation-for-2024-keys",
  "test_rk_live_mode_is_switched_off_2",
  "task-sk-learn1234567890123456789",
])("%s is a name", (name) => {
  expect(found(name)).toEqual([]);
});
