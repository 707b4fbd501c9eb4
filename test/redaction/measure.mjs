import { CLASSES, secrets, sentences } from "./accuracy-sets.mjs";
import { createDice } from "./dice.mjs";
import { elsewhereCarriers } from "./elsewhere-carriers.mjs";
import { IDENTIFIERS } from "./identifiers.mjs";
import { lookAlikes } from "./look-alikes.mjs";
import { keyBlocks } from "./key-blocks.mjs";
import { namedValues } from "./named-values.mjs";
import { personalCarriers } from "./personal-carriers.mjs";
import { precisionOf } from "./precision.mjs";
import { secretCarriers } from "./secret-carriers.mjs";
import { toolOutput } from "./tool-output.mjs";

const SECRET_TYPES = ["KEY", "AUTH", "JWT", "PEM", "SECRET"];
/** Types of the sentences that a rule claims, with its floor. */
const CLAIMED = {
  email: 0.97,
  credit_card_number: 0.97,
  iban: 0.97,
  ip_address: 0.97,
  ssn: 0.97,
  phone_number: 0.85,
  date_of_birth: 0,
  address: 0,
  us_driver_license: 0,
};
/** Where values stand, with the floor over all of them; each single one is found half of the time at least. */
const CARRIERS = [
  ["secrets in files, commands and requests", 0.97, secretCarriers],
  ["personal values, as they are written", 0.97, personalCarriers],
  ["values whose name stands elsewhere", 0.97, elsewhereCarriers],
  ["mistyped values under their names", 0.98, namedValues],
  ["private keys behind the marks of lines", 0.98, keyBlocks],
];
const EXAMPLES = 3;

/**
 * The table of accuracy as lines, and the names of what is below its floor. `values`: how many of each class,
 * `identifiers`: how many of each kind.
 */
export function measure(scrubber, { values, identifiers, seed }) {
  const rows = [
    `seed ${seed}`,
    "| class | recall | floor | altered negatives | ceiling |",
    "|---|---:|---:|---:|---:|",
  ];
  const failed = [];
  const row = (name, found, all, floor, touched, others, ceiling, misses = [], wrong = []) => {
    const recall = all === 0 ? 1 : found / all;
    const rate = others === 0 ? 0 : touched / others;
    const bad = recall < floor || rate > ceiling;
    if (bad) failed.push(name);
    const percent = (n, d) => (d === 0 ? "–" : `${((100 * n) / d).toFixed(2)} % (${n}/${d})`);
    rows.push(
      `| ${name}${bad ? " ✗" : ""} | ${percent(found, all)} | ${floor * 100} % | ${percent(touched, others)} | ${ceiling * 100} % |`,
    );
    if (bad || process.env.SHOW)
      for (const text of [...misses.map((m) => `missed ${m}`), ...wrong.map((w) => `touched ${w}`)])
        rows.push(`      ${text}`);
  };

  for (const [name, floor, ceiling, make] of CLASSES) {
    const dice = createDice(seed);
    let [found, touched] = [0, 0];
    const [misses, wrong] = [[], []];
    for (let i = 0; i < values; i++) {
      const { positive, negative } = make(dice);
      const [text, value] = positive;
      const { text: out, counts } = scrubber.scrub(text);
      // what could not be scanned was not found
      if (!out.includes(value) && out !== text && counts.UNSCANNED === undefined) found++;
      else if (misses.length < EXAMPLES) misses.push(JSON.stringify(text));
      const kept = scrubber.scrub(negative).text;
      if (kept !== negative) {
        touched++;
        if (wrong.length < EXAMPLES) wrong.push(`${JSON.stringify(negative)} ${JSON.stringify(kept)}`);
      }
    }
    row(name, found, values, floor, touched, values, ceiling, misses, wrong);
  }

  const throws = Math.ceil(values / 100);
  for (const [name, floor, make] of CARRIERS) {
    const dice = createDice(seed);
    const all = Array.from({ length: throws }, () => make(dice)).flat();
    const missed = all.filter(([, text, value, mime]) => scrubber.scrub(text, { mime }).text.includes(value));
    const kinds = new Map();
    for (const [kind, text] of missed) kinds.set(kind, [...(kinds.get(kind) ?? []), text]);
    // no single carrier may be lost in the mass
    const lost = [...kinds].filter(([, texts]) => texts.length > throws / 2 && throws >= 4);
    row(
      name,
      lost.length === 0 ? all.length - missed.length : 0,
      all.length,
      floor,
      0,
      0,
      0,
      (lost.length > 0 ? lost : [...kinds]).slice(0, 8).map(([kind, [text]]) => `${kind}: ${JSON.stringify(text)}`),
    );
  }
  const dull = createDice(seed);
  const alike = Array.from({ length: throws }, () => lookAlikes(dull)).flat();
  const wrong = alike.filter(([text, mime]) => scrubber.scrub(text, { mime }).text !== text);
  row(
    "look-alikes",
    0,
    0,
    0,
    wrong.length,
    alike.length,
    0.005,
    [],
    wrong.slice(0, EXAMPLES * 2).map(([text]) => JSON.stringify(text)),
  );

  const output = Array.from({ length: throws }, () => toolOutput(dull)).flat();
  const eaten = output.filter((text) => scrubber.scrub(text).text !== text);
  row("output of tools, code, logs", 0, 0, 0, eaten.length, output.length, 0.001, [], eaten.slice(0, EXAMPLES * 2));
  const { right, all: replaced, wrong: unknown } = precisionOf(scrubber);
  row("precision on real traffic", right, replaced, 0.9, 0, 0, 0, unknown.slice(0, EXAMPLES * 4));

  const labelled = secrets();
  const counted = labelled.map((each) => ({ ...each, counts: Object.keys(scrubber.scrub(each.text).counts) }));
  const real = counted.filter(({ secret }) => secret);
  const fake = counted.filter(({ secret }) => !secret);
  const hits = real.filter(({ counts }) => counts.some((type) => SECRET_TYPES.includes(type)));
  row(
    "secrets corpus",
    hits.length,
    real.length,
    0.9,
    fake.filter(({ counts }) => counts.length > 0).length,
    fake.length,
    0.1,
    real.filter((r) => !hits.includes(r)).map(({ text }) => text.slice(0, 80)),
  );

  const spans = sentences().flatMap(({ text, spans: all }) => all.map((span) => ({ ...span, text })));
  for (const [type, floor] of Object.entries(CLAIMED)) {
    const own = spans.filter((span) => span.type === type);
    const missed = own.filter(({ text, value }) => scrubber.scrub(text).text.includes(value));
    row(
      `sentences: ${type}`,
      own.length - missed.length,
      own.length,
      floor,
      0,
      0,
      0,
      missed.slice(0, EXAMPLES).map(({ text }) => JSON.stringify(text.slice(0, 120))),
    );
  }
  // what no rule claims must stay
  const claimedTypes = new Set([
    ...Object.keys(CLAIMED),
    "street_name",
    "building_number",
    "secondary_address",
    "postcode",
    "zipcode",
    "city",
    "state_abbr",
    "url",
  ]);
  const plain = sentences().filter(({ spans: all }) => !all.some(({ type }) => claimedTypes.has(type)));
  const touchedPlain = plain.filter(({ text }) => scrubber.scrub(text).text !== text);
  row(
    "sentences without claimed types",
    0,
    0,
    0,
    touchedPlain.length,
    plain.length,
    0.05,
    [],
    touchedPlain.slice(0, EXAMPLES).map(({ text }) => JSON.stringify(text.slice(0, 160))),
  );

  let [bare, underName] = [0, 0];
  const bareExamples = new Map();
  const dice = createDice(seed + 1);
  const kinds = Object.entries(IDENTIFIERS);
  for (const [kind, [name, make]] of kinds) {
    let own = 0;
    for (let i = 0; i < identifiers; i++) {
      const value = make(dice);
      const json = JSON.stringify({ [name]: value });
      if (scrubber.scrub(json, { mime: "application/json" }).text !== json) {
        underName++;
        if (own++ < EXAMPLES) rows.push(`      touched under its name: ${json}`);
      }
      // a version of four numbers and an address look the same without a word before
      if (kind === "four_part_version") continue;
      const text = `see ${value} there`;
      if (scrubber.scrub(text).text !== text) {
        bare++;
        bareExamples.set(kind, (bareExamples.get(kind) ?? 0) + 1);
      }
    }
  }
  const all = identifiers * kinds.length;
  row(`identifiers under their names, ${kinds.length} kinds`, 0, 0, 0, underName, all, 0);
  row("identifiers in prose", 0, 0, 0, bare, all, 0.01);
  rows.push(
    `      ${[...bareExamples].map(([kind, count]) => `${kind} ${((100 * count) / identifiers).toFixed(2)} %`).join(", ")}`,
  );
  return { rows, failed };
}
