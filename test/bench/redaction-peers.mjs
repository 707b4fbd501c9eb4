// Redaction against peers, interleaved in one run: `node test/bench/redaction-peers.mjs [--quick]`. `redact-pii` is
// not among them: it brings a cloud SDK with it. Time is the thread's own, on texts that nobody has seen before,
// except where the row says so.
import { createScrubber } from "@reenact/redaction";
import { Redactor } from "@redactpii/node";
import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { createAnonymizer, createSecretAnonymizer, DEFAULT_SECRET_RULES } from "langsmith/anonymizer";
import { OpenRedaction } from "openredaction";
import { prose } from "./prose.mjs";
import { mean, median } from "./statistics.mjs";
import { threadTime } from "./thread-time.mjs";

const quick = process.argv.includes("--quick");
const PII = [
  { pattern: /[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}/g, replace: "<email>" },
  { pattern: /\b(?:\d[ -]?){13,19}\b/g, replace: "<card>" },
  { pattern: /\+?\d{1,3}[ .-]?\(?\d{2,4}\)?[ .-]?\d{3,4}[ .-]?\d{3,4}/g, replace: "<phone>" },
];

const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
const anonymize = createAnonymizer(PII);
const secrets = createSecretAnonymizer(DEFAULT_SECRET_RULES);
const redactor = new Redactor({ rules: { CREDIT_CARD: true, EMAIL: true, NAME: true, PHONE: true, SSN: true } });
const open = new OpenRedaction();
const lint = (text) =>
  lintSource({
    source: { filePath: "a.txt", content: text, contentType: "text" },
    options: {
      config: { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator, options: {} }] },
    },
  });

/** `[name, text, JSON]`; secretlint only reports. */
const PEERS = [
  ["Reenact", (text) => scrubber.scrub(text), (text) => scrubber.scrub(text, { mime: "application/json" })],
  ["LangSmith, 3 own patterns", (text) => anonymize(text), (text) => JSON.stringify(anonymize(JSON.parse(text)))],
  ["LangSmith, its secret rules", (text) => secrets(text), (text) => JSON.stringify(secrets(JSON.parse(text)))],
  [
    "@redactpii/node",
    (text) => redactor.redact(text),
    (text) => JSON.stringify(redactor.redactObject?.(JSON.parse(text)) ?? redactor.redact(text)),
  ],
  ["openredaction", (text) => open.detect(text), (text) => open.detect(text)],
  ["secretlint", lint, lint],
];

const json = (bytes, seed) =>
  JSON.stringify({ messages: [1, 2].map((n) => ({ role: "user", content: prose(bytes / 2, seed * 2 + n) })) });

async function took(run, text) {
  const before = threadTime();
  await run(text);
  return threadTime() - before;
}

/** Longest that one peer may take in all, in microseconds, before and while it is measured. */
const WARM = 400_000;
const LONG = 3_000_000;

/** Microseconds of each peer, asked in turn; `textOf(round)` is new each time. A peer that takes long is asked less. */
async function measured(textOf, place, rounds) {
  const times = PEERS.map(() => []);
  const spent = PEERS.map(() => 0);
  for (let round = -Math.ceil(rounds / 2); round < rounds; round++) {
    if (round === 0) spent.fill(0);
    const text = textOf(round);
    for (const [i, peer] of PEERS.entries()) {
      if (spent[i] > (round < 0 ? WARM : LONG) && (round < 0 || times[i].length > 4)) continue;
      const time = await took(peer[place], text);
      spent[i] += time;
      if (round >= 0) times[i].push(time);
    }
  }
  return times;
}

const rounds = quick ? 20 : 300;
const BYTES = 50 * 1024;
const SPAN = 7 * 1024;
const plain = await measured((i) => prose(BYTES, 30_000 + i), 1, rounds);
const inJson = await measured((i) => json(BYTES, 60_000 + i), 2, rounds);
const span = await measured((i) => json(SPAN, 90_000 + i), 2, rounds * 2);
const history = json(BYTES, 7);
const repeated = await measured(() => history, 2, rounds);

const rate = (times, bytes) => (bytes / median(times)).toFixed(1);
const us = (value) => value.toFixed(value < 100 ? 1 : 0);
const p99 = (times) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * 0.99))];
const lines = [
  "| | MB/s plain | MB/s JSON | µs per 7 KB span, mean | p99 | µs for 50 KB seen before |",
  "|---|---:|---:|---:|---:|---:|",
  ...PEERS.map(
    ([name], i) =>
      `| ${name} | ${rate(plain[i], BYTES)} | ${rate(inJson[i], BYTES)} | ${us(mean(span[i]))} | ${us(p99(span[i]))} | ${us(median(repeated[i]))} |`,
  ),
];

/** Twelve texts made to make expressions run away. */
const SHAPES = ["a", "1", "@", "a@", "a.", "-", "aA1_", "((", "eyJ", "-----BEGIN ", "://", "sk-"];
const flat = (text) => Buffer.from(text, "latin1").toString("latin1");
const nanoseconds = async (text, times) => {
  const all = [];
  for (let i = 0; i < times; i++) all.push((1000 * (await took(PEERS[0][1], flat(text + i)))) / text.length);
  return Math.min(...all);
};
const normal = await nanoseconds(prose(64 * 1024, 123_456), 9);
lines.push("", `| Reenact, ns per byte; normal text ${normal.toFixed(1)} | 64 KB | 1 MB |`, "|---|---:|---:|");
for (const shape of SHAPES) {
  const of = async (bytes) =>
    (await nanoseconds(shape.repeat(Math.ceil(bytes / shape.length)), quick ? 2 : 5)).toFixed(1);
  lines.push(`| \`${shape}\` again and again | ${await of(64 * 1024)} | ${await of(1024 * 1024)} |`);
}
lines.push("", "`redact-pii` is not measured: it brings a cloud SDK with it.");
process.stdout.write(`${lines.join("\n")}\n`);
