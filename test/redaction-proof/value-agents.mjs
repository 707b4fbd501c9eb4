// Small agents, each of which does one thing with a value of an answer: the table of uses, times where the value comes
// from. `record` runs them all; `replay <folder> <with|without>` replays each from its run and prints one line of JSON.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { agent, tool } from "@reenact/node";

const API = process.env.API ?? "http://127.0.0.1:1";
const DATABASE = process.env.DATABASE ?? "";

/** What answers hold. Invented. */
export const PERSON = {
  email: "Quentin.Oyelaran@mail.farsight.test",
  other: "adela.brandt@post.farsight.test",
  card: "4111 1111 1111 1111",
  sameCard: "4111-1111-1111-1111",
  iban: "DE89 3704 0044 0532 0130 00",
  phone: "+49 30 901820",
  ip: "203.0.113.77",
  note: "Write to quentin.oyelaran@mail.farsight.test or call +49 30 901820.",
  secret: "sk-proj-Zq8mT1vB7xK2nR5wY9cJ4hL6pD3fG0sA8eU1iO7tN5bV2",
};

/** Uses that hand a value on as it is. */
const VERBATIM = {
  itself: (v) => v.email,
  "in a sentence": (v) => `Dear ${v.email}, all is well.`,
  "in a list": (v) => [v.email, v.phone, v.iban],
  "the whole answer": (v) => v,
  "as JSON": (v) => JSON.stringify(v),
};
/** Uses that look into it. */
const DERIVED = {
  domain: (v) => v.email.split("@")[1],
  "local part": (v) => v.email.slice(0, v.email.indexOf("@")),
  "last four": (v) => v.card.slice(-4),
  "upper case": (v) => `to ${v.email.toUpperCase()}!`.length + v.email.toUpperCase().charAt(1),
  "lower case": (v) => v.email.toLowerCase() === "quentin.oyelaran@mail.farsight.test",
  length: (v) => v.email.length,
  hash: (v) => createHash("sha256").update(v.email).digest("hex"),
  sort: (v) =>
    [v.email, v.other, "m"]
      .map((each) => each.toLowerCase())
      .sort()
      .indexOf("m"),
  "look-up": (v) =>
    ({ "mail.farsight.test": "gold", "post.farsight.test": "silver" })[v.email.split("@")[1]] ?? "unknown",
  "regular expression": (v) => /^(\w+)\.(\w+)@/.exec(v.email)?.[2] ?? "no match",
  comparison: (v) => (v.email > "R" ? "late" : "early"),
  substring: (v) => v.email.substring(2, 7),
  concatenation: (v) => `${v.email.split("@")[0]}+archive`,
  digits: (v) => v.card.replace(/\D/g, "").length,
  spelling: (v) => [v.card.includes(" "), v.sameCard.includes("-"), v.card === v.sameCard],
  remainder: (v) => Number(BigInt(v.card.replace(/\D/g, "")) % 97n),
  country: (v) => v.iban.slice(0, 2),
  groups: (v) => v.iban.split(" ").length,
  "area code": (v) => v.phone.split(" ")[1],
  network: (v) => v.ip.split(".").slice(0, 2).join("/"),
  reverse: (v) => [...v.email].reverse().join("").slice(0, 5),
  "sum of characters": (v) => [...v.email].reduce((sum, c) => sum + c.charCodeAt(0), 0),
  masked: (v) => `${v.email[0]}***${v.email.slice(v.email.indexOf("@") + 1).length}`,
  "found in a text": (v) => v.note.indexOf("@") - v.note.indexOf("quentin"),
  "two of a text": (v) => v.note.match(/\S+@\S+|\+\d+/g)?.map((each) => each.length),
};
const sizes = new WeakMap();

/** How an answer was divided and how long it was: of one that held no secret, whose token has another length. */
const SIZES = { "sizes of chunks": (v) => sizes.get(v), "length of the text": (v) => JSON.stringify(v).length };
export const USES = { ...VERBATIM, ...DERIVED, ...SIZES };
export const isVerbatim = (name) => Object.hasOwn(VERBATIM, name.split(": ")[1]);

const handOn = tool("hand_on", async (value) => `took ${typeof value}`);
const look = tool("look", async () => PERSON);

async function streamed(path) {
  const response = await fetch(`${API}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "who" }] }),
  });
  const pieces = [];
  let text = "";
  for await (const chunk of response.body) {
    pieces.push(chunk.length);
    text += Buffer.from(chunk).toString();
  }
  const content = [...text.matchAll(/^data: (\{.*\})$/gm)]
    .map((m) => JSON.parse(m[1]).choices[0].delta.content)
    .join("");
  const value = JSON.parse(content);
  sizes.set(value, pieces.join("+"));
  return value;
}

async function fromDatabase(read) {
  const database = new DatabaseSync(DATABASE, { readOnly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}
/** The row of the person as `node:sqlite` returns it. */
const row = (database) => database.prepare("SELECT * FROM person WHERE id = ?").get(7);
const query = tool("query", async () => fromDatabase(row));

/** Where a value comes from. A database that the agent itself reads is read again in a replay; what a tool read is served. */
const SOURCES = {
  tool: () => look(),
  api: async () => (await fetch(`${API}/person`)).json(),
  stream: () => streamed("/v1/chat/completions"),
  database: async () => {
    await look();
    return fromDatabase(row);
  },
  "database of a tool": () => query(),
};

export const agents = Object.fromEntries(
  Object.entries(SOURCES).flatMap(([source, get]) =>
    Object.entries(USES)
      .filter(([use]) => source === "stream" || !Object.hasOwn(SIZES, use))
      .map(([use, work]) => {
        const name = `${source}: ${use}`;
        const run = async () => {
          await handOn(work(await get()));
          return "done";
        };
        return [name, agent(name, run)];
      }),
  ),
);

async function record() {
  if (DATABASE !== "") {
    rmSync(DATABASE, { force: true });
    const database = new DatabaseSync(DATABASE);
    const columns = Object.keys(PERSON);
    database.exec(`CREATE TABLE person (id INTEGER, ${columns.map((name) => `"${name}" TEXT`).join(", ")})`);
    database
      .prepare(`INSERT INTO person VALUES (7, ${columns.map(() => "?").join(", ")})`)
      .run(...Object.values(PERSON));
    database.close();
  }
  for (const each of Object.values(agents)) await each();
}

async function replayAll(store, vault) {
  const { replay } = await import("@reenact/replay");
  const { readEnvelope } = await import("@reenact/envelope/file");
  const { readFileSync } = await import("node:fs");
  const folder = join(store, "runs");
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    if (!file.endsWith(".reenact")) continue;
    const { facts } = readEnvelope(readFileSync(join(folder, file)));
    const each = agents[facts?.name];
    if (each === undefined) continue;
    const { verdict, report } = await replay(join(folder, file), each, { vault: vault === "with" ? {} : false });
    console.log(JSON.stringify({ name: facts.name, verdict, report }));
  }
}

const [, , what, ...rest] = process.argv;
if (what === "record") await record();
else if (what === "replay") await replayAll(...rest);
