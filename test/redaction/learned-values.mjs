// What it would cost if a value that was found by a name (a person's name, an address) counted as known for the rest of
// its run. `node test/redaction/learned-values.mjs <folder of corpora>`: agent runs in `tau-bench`, unrelated traffic in
// the other folders.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createScrubber } from "@reenact/redaction";

const [folder = ""] = process.argv.slice(2);
const key = Buffer.alloc(32, 7);
const NAMED = new Set(["person", "address", "bank-account", "birth-date"]);
const SHORTEST = 5;
const say = (line) => process.stdout.write(`${line}\n`);

/** `text` has the value as whole words */
function standsIn(text, value) {
  const out = [];
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const isWord = (c) => c !== undefined && /[\p{L}\p{N}_]/u.test(c);
    if (!isWord(text[at - 1]) && !isWord(text[at + value.length])) out.push(at);
  }
  return out;
}

function filesBelow(path) {
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path];
}

const scrubber = createScrubber({ key });
const other = ["braintrust", "ruby_llm"].map((name) =>
  filesBelow(join(folder, name))
    .filter((path) => /\.(?:json|ya?ml|bin|txt)$/.test(path))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n"),
);
const traffic = other.join("\n");
/** @type {Map<string, number>} */
const words = new Map();
for (const [word] of traffic.matchAll(/[\p{L}\p{N}_]+/gu)) words.set(word, (words.get(word) ?? 0) + 1);
const inTraffic = (value) =>
  /^[\p{L}\p{N}_]+$/u.test(value) ? (words.get(value) ?? 0) : standsIn(traffic, value).length;

// 1. what runs would gain
const runs = JSON.parse(readFileSync(join(folder, "tau-bench/gpt-4o-airline.json"), "utf8"));
const sums = { learned: 0, short: 0, later: 0, already: 0, runs: 0 };
const distinct = new Map();
for (const { traj } of runs) {
  const known = new Map();
  for (const { role, content, tool_calls: calls } of traj) {
    const text = `${content ?? ""} ${JSON.stringify(calls?.map((call) => call.function.arguments) ?? "")}`;
    const hits = scrubber.inspect(text).hits;
    for (const [value, rule] of known) {
      const found = standsIn(text, value);
      const covered = found.filter((at) => hits.some(({ start, end }) => start <= at && at < end)).length;
      sums.already += covered;
      sums.later += found.length - covered;
      if (found.length > covered) distinct.set(value, rule);
    }
    if (role !== "tool") continue;
    for (const { rule, start, end } of scrubber.inspect(content, { mime: "application/json" }).hits) {
      const value = content.slice(start, end);
      if (!NAMED.has(rule)) continue;
      if (value.length < SHORTEST) sums.short++;
      else if (!known.has(value)) sums.learned += known.set(value, rule) ? 1 : 0;
    }
  }
  sums.runs += known.size > 0 ? 1 : 0;
}
say(`unrelated traffic: ${(traffic.length / 1e6).toFixed(1)} MB, ${words.size} different words`);
say(`runs that learn: ${sums.runs} of ${runs.length}; values learned ${sums.learned}, too short ${sums.short}`);
say(
  `later in the same run: ${sums.later} more places (${distinct.size} different values), ${sums.already} are found anyway`,
);

// 2. how often such values are words of something else
const SETS = {
  "frequent given names":
    "James Robert Michael David William Richard Joseph Thomas Charles Daniel Matthew Anthony Steven Andrew Joshua Kenneth Kevin Brian George Timothy Ronald Jason Edward Jeffrey Jacob Nicholas Jonathan Stephen Justin Scott Brandon Benjamin Samuel Gregory Alexander Patrick Frank Raymond Jordan Dennis Jerry Tyler Aaron Henry Peter Nathan Zachary Walter Christian Austin Roger Terry Sean Lawrence Dylan Harold Logan Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Karen Sarah Nancy Betty Sandra Ashley Emily Donna Michelle Carol Amanda Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia Dorothy Kathleen Angela Shirley Emma Brenda Pamela Nicole Anna Samantha Katherine Christine Helen Debra Rachel Carolyn Janet Maria Catherine Heather Diane Olivia Julie Joyce Victoria Grace April Heidi Faith Hunter Mason Chase Royal Summer Autumn Crystal Amber Brooke Melody Harmony Destiny Angel Major Frank",
  "frequent family names":
    "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson Thomas Taylor Moore Jackson Martin Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen Wright Scott Torres Nguyen Flores Green Adams Nelson Baker Rivera Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Parker Collins Edwards Stewart Morris Murphy Rogers Reed Cook Morgan Cooper Peterson Bailey Kelly Howard Ramos Richardson Watson Brooks Chavez Bennett Mendoza Hughes Price Alvarez Castillo Sanders Patel Myers Foster Jimenez Powell Jenkins Perry Russell Sullivan Butler Barnes Fisher Henderson Black Stone Banks Fields Woods Church Marsh Bishop Knight Sharp Small Short Rich Power Field Bond Chase Potter Archer Porter Mason Gates Query Park Branch Cross Frost Grant Lane Marks Parks Pace Wells",
  cities:
    "London Paris Berlin Madrid Vienna Dublin Lisbon Athens Warsaw Prague Munich Hamburg Cologne Zurich Geneva Milan Naples Turin Boston Chicago Houston Phoenix Dallas Austin Denver Seattle Detroit Memphis Portland Atlanta Miami Oakland Tampa Buffalo Mobile Orange Reading Orlando Richmond Jackson Madison Lincoln Columbus Charlotte Toronto Montreal Sydney Melbourne Tokyo Osaka Seoul Beijing Shanghai Mumbai Delhi Cairo Lagos Nairobi",
};
const sets = new Map(Object.entries(SETS).map(([type, list]) => [type, new Set(list.split(" "))]));
for (const [type, values] of sets) {
  const long = [...values].filter((value) => value.length >= SHORTEST);
  const hit = long
    .map((value) => [value, inTraffic(value)])
    .filter(([, n]) => n > 0)
    .sort((a, b) => b[1] - a[1]);
  const places = hit.reduce((sum, [, n]) => sum + n, 0);
  say(
    `${type}: ${hit.length} of ${long.length} values (${((100 * hit.length) / long.length).toFixed(1)} %) stand in unrelated traffic, at ${places} places: ${hit
      .slice(0, 8)
      .map(([v, n]) => `${v} ${n}`)
      .join(", ")}`,
  );
}
const own = [...distinct.keys()];
const ownHit = own
  .map((value) => [value, inTraffic(value)])
  .filter(([, n]) => n > 0)
  .sort((a, b) => b[1] - a[1]);
say(
  `learned in runs: ${ownHit.length} of ${own.length} values stand in unrelated traffic: ${ownHit
    .slice(0, 12)
    .map(([v, n]) => `${v} ${n}`)
    .join(", ")}`,
);

// 3. speed with many of them
const prose = traffic.slice(0, 4_000_000);
const time = (known) => {
  const one = createScrubber({ key, known });
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const text = `${prose} ${round}`;
    const start = process.cpuUsage().user;
    one.inspect(text);
    best = Math.min(best, (process.cpuUsage().user - start) / 1000);
  }
  return best;
};
const names = [...sets.values()].flatMap((set) => [...set]).filter((value) => value.length >= SHORTEST);
for (const n of [0, 10, 100, 1000]) {
  const known = Array.from({ length: n }, (_, i) => ({
    name: "",
    value: i < names.length ? names[i] : `${names[i % names.length]}${i}`,
  }));
  say(`${n} known values: ${(prose.length / 1e6 / (time(known) / 1000)).toFixed(0)} MB/s`);
}
