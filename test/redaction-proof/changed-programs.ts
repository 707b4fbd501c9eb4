import { addressValue, type Canary, card, type Draw, shapelessValue } from "./canary.ts";

/** Values that a program uses, one of each kind that is found in its own way. */
export interface Values {
  readonly password: string;
  readonly token: string;
  readonly card: string;
  readonly phone: string;
  readonly email: string;
  readonly iban: string;
  readonly birth: string;
}

/** Numbers that `+44 20` and six or more digits make are found by their form. */
export function drawValues(draw: Draw): Values {
  const digits = (length: number): string => Array.from({ length }, () => draw(10)).join("");
  return {
    password: shapelessValue(draw),
    token: shapelessValue(draw),
    card: card(draw),
    phone: `+44 20 7${digits(3)} ${digits(4)}`,
    email: addressValue(draw),
    iban: germanIban(digits(18)),
    birth: `${1940 + draw(60)}-0${1 + draw(9)}-${10 + draw(18)}`,
  };
}

function germanIban(account: string): string {
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, "0")}${account}`.replace(/(.{4})(?=.)/g, "$1 ");
}

export const canariesOf = (program: string, values: Values): Canary[] =>
  Object.entries(values)
    // a date is not unique: to find it elsewhere proves nothing
    .filter(([kind]) => kind !== "birth")
    .map(([kind, value]) => ({ carrier: `${program}: ${kind}`, value: value as string }));

export interface ProgramContext {
  /** address of a provider on this machine */
  readonly url: string;
  /** what a program imports the recorder from */
  readonly library: string;
}

type Source = (v: Values, context: ProgramContext) => string;

const PRELUDE = `
import { agent, branch, flag, identify, input, instrument, step, tool } from "@reenact/node";
import { spawnSync } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import dns from "node:dns";
import zlib from "node:zlib";
const quiet = async (work) => { try { return await work(); } catch { return "refused"; } };
const echo = tool("echo", async (value) => value);
await echo("first");
`;
const s = (value: unknown): string => JSON.stringify(value);
const post =
  (body: (v: Values) => string, headers: (v: Values) => Record<string, string> = () => ({}), path = "/v1/x"): Source =>
  (v, { url }) =>
    `await quiet(async () => (await fetch(${s(url + path)}, { method: "POST", headers: ${s({ "content-type": "application/json", ...headers(v) })}, body: ${body(v)} })).text());`;
const record = (v: Values): object => ({
  password: v.password,
  api_key: v.token,
  customer: { email: v.email, phone: v.phone, card_number: v.card, iban: v.iban, date_of_birth: v.birth },
});
const prose = (v: Values): string =>
  `Mail ${v.email} or call ${v.phone}. Card ${v.card}, IBAN ${v.iban}. password: ${v.password} and API_TOKEN=${v.token}`;
const chat = (content: string): string => s(s({ model: "echo", messages: [{ role: "user", content }] }));
const table = (v: Values): string =>
  `id,email,phone,card_number,iban,password,api_key\n1,${v.email},${v.phone},${v.card},${v.iban},${v.password},${v.token}\n`;
const form = (v: Values): string =>
  new URLSearchParams({
    email: v.email,
    phone: v.phone,
    card_number: v.card,
    iban: v.iban,
    password: v.password,
    api_key: v.token,
  }).toString();

/** A program for each place in which the values of now can differ from those that were recorded. */
export const programs: Readonly<Record<string, Source>> = {
  "request: JSON": post((v) => s(s(record(v)))),
  "request: JSON, pretty": post((v) => s(JSON.stringify(record(v), null, 2))),
  "request: prompt": post((v) => chat(prose(v)), undefined, "/v1/chat/completions"),
  "request: JSON in a prompt": post((v) => chat(`Known: ${s(record(v))}`), undefined, "/v1/chat/completions"),
  "request: CSV": post(
    (v) => s(table(v)),
    () => ({ "content-type": "text/csv" }),
  ),
  "request: XML": post(
    (v) =>
      s(
        `<c><email>${v.email}</email><phone>${v.phone}</phone><card>${v.card}</card><iban>${v.iban}</iban><password>${v.password}</password><apiKey>${v.token}</apiKey></c>`,
      ),
    () => ({ "content-type": "application/xml" }),
  ),
  "request: form": post(
    (v) => s(form(v)),
    () => ({ "content-type": "application/x-www-form-urlencoded" }),
  ),
  "request: gzip": post(
    (v) => `zlib.gzipSync(${s(s(record(v)))})`,
    () => ({ "content-encoding": "gzip" }),
  ),
  "request: base64": post((v) => s(s({ content: Buffer.from(prose(v)).toString("base64") }))),
  "request: bytes": post(
    (v) => `Buffer.concat([Buffer.from([255, 0, 1]), Buffer.from(${s(prose(v))})])`,
    () => ({ "content-type": "application/octet-stream" }),
  ),
  "request: multipart": (v, { url }) =>
    `const form = new FormData(); for (const [n, t] of Object.entries(${s({ ...record(v), ...(record(v) as { customer: object }).customer, customer: "1" })})) form.set(n, t);
     form.set("file", new Blob([${s(table(v))}], { type: "text/csv" }), ${s(`${v.email}.csv`)});
     await quiet(async () => (await fetch(${s(`${url}/upload`)}, { method: "POST", body: form })).text());`,
  "request: members' names": post((v) => s(s({ [v.email]: 1, [v.phone]: 2, [v.card]: 3, [v.iban]: 4 }))),
  "request: a longer list": post((v) =>
    s(s({ list: ["a", ...(v.email.startsWith("then") ? [] : [record(v), prose(v)])] })),
  ),
  "request: headers": post(
    () => s("{}"),
    (v) => ({
      authorization: `Bearer ${v.password}`,
      "x-api-key": v.token,
      cookie: `sid=${v.token}; user=${encodeURIComponent(v.email)}`,
      "x-customer": v.email,
      "x-phone": v.phone,
      "x-card": v.card,
      "x-iban": v.iban,
    }),
  ),
  "request: node:http": (v, { url }) =>
    `await new Promise((resolve) => { const r = http.request(${s(url)} + ${s(`/c/${encodeURIComponent(v.email)}?phone=${encodeURIComponent(v.phone)}&card=${encodeURIComponent(v.card)}&iban=${encodeURIComponent(v.iban)}&token=${v.token}`)}, { method: "PUT", auth: "svc:${v.password}", headers: { "x-who": ${s(v.email)} } }, (a) => a.resume().on("end", resolve)); r.on("error", resolve); r.end(${s(s(record(v)))}); });`,
  "request: URL": (v, { url }) =>
    `await quiet(async () => (await fetch(${s(`${url}/c/${encodeURIComponent(v.email)}/${encodeURIComponent(v.phone)}?card_number=${encodeURIComponent(v.card)}&iban=${encodeURIComponent(v.iban)}&password=${v.password}&access_token=${v.token}`)})).text());`,
  "request: one more": (v, context) =>
    v.email.startsWith("then") ? "await echo(1);" : `await echo(1); ${post((w) => s(s(record(w))))(v, context)}`,
  "request: another host": (v) =>
    `await quiet(() => fetch("https://svc:${v.password}@${v.email.split("@")[0]}.host.test/?email=${encodeURIComponent(v.email)}&token=${v.token}&card=${encodeURIComponent(v.card)}").then((r) => r.text()));`.replace(
      "svc:",
      "",
    ),
  "tool: arguments": (v) => `await quiet(() => echo(${s(record(v))}));`,
  "tool: texts": (v) => `await quiet(() => echo(${s(prose(v))}, ${s(table(v))}));`,
  "tool: typed": (v) =>
    `await quiet(() => echo(new Map([["password", ${s(v.password)}], ["list", new Set([${s(v.email)}, Buffer.from(${s(prose(v))})])], ["apiKey", [${s(v.token)}]], ["of", Object.assign(new Error(${s(prose(v))}), ${s(record(v))})]])));`,
  "tool: name": (v) =>
    `await quiet(() => tool(${s(`mail ${v.email} ${v.phone} ${v.card} ${v.iban}`)}, async () => 1)());`,
  "tool: result": (v) => `await tool("give", async () => (${s(record(v))}))();`,
  "tool: error": (v) =>
    `await quiet(() => tool("fail", async () => { throw Object.assign(new Error(${s(prose(v))}), ${s(record(v))}); })());`,
  "tool: yields": (v) =>
    `await quiet(async () => { for await (const _ of tool("pieces", async function* () { yield ${s(record(v))}; yield ${s(prose(v))}; })()); });`,
  "step: name and result": (v) =>
    `await quiet(() => step(${s(`look at ${v.email} ${v.phone} ${v.card} ${v.iban}`)}, async () => (${s(record(v))})));`,
  "branch: name": (v) =>
    `await quiet(() => branch(${s(`way ${v.email} ${v.phone} ${v.card} ${v.iban}`)}, async () => echo(1)));`,
  "agent: name": (v) => `await quiet(() => agent(${s(`for ${v.email} ${v.phone} ${v.card}`)}, async () => echo(1))());`,
  "agent: argument": (v) =>
    `await quiet(() => agent("a", async (w) => { await echo(1); return 1; })(${s(record(v))}));`,
  "agent: result": (v) => `await quiet(() => agent("a", async () => { await echo(1); return ${s(record(v))}; })());`,
  "agent: text": (v) => `await quiet(() => agent("a", async () => { await echo(1); return ${s(prose(v))}; })());`,
  "agent: error": (v) =>
    `await quiet(() => agent("a", async () => { await echo(1); throw Object.assign(new Error(${s(prose(v))}, { cause: ${s(record(v))} }), ${s(record(v))}); })());`,
  "agent: thrown value": (v) =>
    `await quiet(() => agent("a", async () => { await echo(1); throw ${s(record(v))}; })());`,
  "agent: error's name": (v) =>
    `await quiet(() => agent("a", async () => { await echo(1); throw Object.assign(new Error("no"), { name: ${s(v.email)} }); })());`,
  "input: question": (v) =>
    `instrument({ onInput: () => "yes" }); await quiet(() => input("sure", ${s(`Send it? ${prose(v)}`)}));`,
  "input: answer": (v) => `instrument({ onInput: () => (${s(prose(v))}) }); await quiet(() => input("sure", "Sure?"));`,
  flag: (v) => `await echo(1); flag(${s(prose(v))});`,
  identify: (v) =>
    `await echo(1); identify({ user: ${s(v.email)}, session: ${s(s({ password: v.password, api_key: v.token }))}, tags: [${s(v.phone)}, ${s(v.card)}, ${s(v.iban)}] });`,
  "output: lines": (v) => `await echo(1); console.log(${s(prose(v))});`,
  "output: JSON": (v) => `await echo(1); console.log(${s(JSON.stringify(record(v), null, 2))});`,
  "output: inspected": (v) => `await echo(1); console.log(${s(record(v))}); console.dir([${s(record(v))}]);`,
  "output: table": (v) =>
    `await echo(1); console.table([${s((record(v) as { customer: object }).customer)}]); console.table([{ password: ${s(v.password)}, api_key: ${s(v.token)} }]);`,
  "output: pieces": (v) =>
    `await echo(1); for (const part of ${s(prose(v))}.match(/[^]{1,5}/g)) process.stdout.write(part); process.stdout.write("\\n");`,
  "output: standard error": (v) => `await echo(1); console.error(${s(prose(v))}); console.error(${s(record(v))});`,
  "output: YAML": (v) =>
    `await echo(1); console.log(${s(`db:\n  password: ${v.password}\n  apiKey: >-\n    ${v.token}\ncustomer:\n  - email: ${v.email}\n    phone: "${v.phone}"\n    card: ${v.card}\n    iban: ${v.iban}\n`)});`,
  "file: JSON": (v) => `await echo(1); fs.writeFileSync("out.json", ${s(JSON.stringify(record(v), null, 2))});`,
  "file: text": (v) => `await echo(1); fs.writeFileSync("out.txt", ${s(prose(v))});`,
  "file: CSV, by lines": (v) =>
    `await echo(1); const [head, row] = ${s(table(v))}.split("\\n"); for (const line of [head, ...Array(300).fill("2,a,b,c,d,e,f"), row]) fs.appendFileSync("out.csv", line + "\\n");`,
  "file: .env": (v) =>
    `await echo(1); fs.writeFileSync(".env", ${s(`DB_PASSWORD=${v.password}\nAPI_TOKEN='${v.token}'\nOWNER=${v.email}\nPHONE=${v.phone}\nCARD=${v.card}\nIBAN=${v.iban}\n`)});`,
  "file: name": (v) =>
    `await echo(1); fs.mkdirSync(${s(v.card)}, { recursive: true }); fs.writeFileSync(${s(`${v.card}/${v.email}.txt`)}, "x"); fs.writeFileSync(${s(`${v.phone}.txt`)}, "x"); fs.writeFileSync(${s(`${v.iban}.txt`)}, "x");`,
  "file: removed": (v) =>
    `await echo(1); fs.writeFileSync(${s(`${v.email}.txt`)}, "x"); fs.rmSync(${s(`${v.email}.txt`)}); fs.symlinkSync(${s(`/tmp/${v.email}/${v.card}`)}, "link");`,
  "database: rows": (v) =>
    `await echo(1); const d = new DatabaseSync("a.db"); d.exec("CREATE TABLE IF NOT EXISTS a (email TEXT, phone TEXT, card_number TEXT, iban TEXT, password TEXT, api_key TEXT)"); d.prepare("INSERT INTO a VALUES (?,?,?,?,?,?)").run(${[v.email, v.phone, v.card, v.iban, v.password, v.token].map(s).join(",")}); d.close();`,
  "database: names": (v) =>
    `await echo(1); const d = new DatabaseSync("a.db"); d.exec('CREATE TABLE "' + ${s(v.email)} + '" ("' + ${s(v.phone)} + '" TEXT, "' + ${s(v.card)} + '" TEXT)'); d.exec('CREATE VIEW v AS SELECT ' + "'" + ${s(v.iban)} + "' AS x"); d.close(); const e = new DatabaseSync(${s(`${v.email}.db`)}); e.exec("CREATE TABLE t (x)"); e.close();`,
  "error: message": (v) => `await echo(1); if (${!v.email.startsWith("then")}) throw new Error(${s(prose(v))});`,
  "error: members": (v) =>
    `await echo(1); throw Object.assign(new Error("refused", { cause: ${s(record(v))} }), ${s(record(v))});`,
  "error: a value": (v) => `await echo(1); throw ${s(record(v))};`,
  "error: rejected": (v) =>
    `await echo(1); Promise.reject(new TypeError(${s(prose(v))})); await new Promise((r) => setTimeout(r, 50));`,
  "refused: socket": (v) =>
    v.email.startsWith("then")
      ? "await echo(1);"
      : `await echo(1); await new Promise((r) => { net.connect("/tmp/" + ${s(v.email)} + "/" + ${s(v.card)}).on("error", r); }); await new Promise((r) => { dns.lookup(${s(v.email)}, r); });`,
  "refused: children": (v) =>
    v.email.startsWith("then")
      ? "await echo(1);"
      : `await echo(1); for (const [file, args] of ${s([
          ["mysql", ["-u", "root", `-p${v.password}`]],
          ["mysql", ["-u", "root", `--password=${v.password}`]],
          ["redis-cli", ["-a", v.password]],
          ["curl", ["-u", `svc:${v.password}`, "https://h.test"]],
          ["curl", ["-H", `Authorization: Bearer ${v.token}`, "https://h.test"]],
          ["sshpass", ["-p", v.password, "ssh", "h.test"]],
          ["psql", [`postgres://svc:${v.password}@h.test/x`]],
          ["git", ["clone", `https://x-access-token:${v.token}@git.test/a.git`]],
          ["mail", ["-s", `call ${v.phone}`, v.email]],
          ["pay", ["--card", v.card, "--iban", v.iban, "--api-key", v.token]],
          ["docker", ["login", "-u", "svc", "-p", v.password]],
        ])}) { try { spawnSync(file, args); } catch {} }`,
};

/** The program of a name, with all that it imports. */
export const sourceOf = (name: string, values: Values, context: ProgramContext): string =>
  `${PRELUDE.replace("@reenact/node", context.library)}${(programs[name] as Source)(values, context)}\n`;

/** What prints, writes files or ends the process is a matter of whole programs. */
const OF_PROCESSES = /^(?:output|file|database|refused|error: (?:message|rejected))/;
export const agentNames = Object.keys(programs).filter((name) => !OF_PROCESSES.test(name));

interface AgentsContext extends ProgramContext {
  /** what a module imports `replay` from */
  readonly replay: string;
  /** and what it reads envelopes with */
  readonly envelope: string;
}

/**
 * One module with an agent for each name: `record` runs them all, `replay <folder>` replays each of the runs there in its
 * process and prints what that returns, but for the agent's own output and error.
 */
export function agentsSource(values: Values, context: AgentsContext): string {
  const body = agentNames.map(
    (name) =>
      `${s(name)}: agent(${s(name)}, async () => { await echo("first"); ${(programs[name] as Source)(values, context)} })`,
  );
  return `${PRELUDE.replace("@reenact/node", context.library)}
import { join } from "node:path";
import { inspect } from "node:util";
const agents = { ${body.join(",\n")} };
const [, , what, folder] = process.argv;
if (what === "record") for (const each of Object.values(agents)) await quiet(each);
else {
  const { replay } = await import(${s(context.replay)});
  const { readEnvelope } = await import(${s(context.envelope)});
  for (const file of fs.readdirSync(folder).filter((each) => each.endsWith(".reenact"))) {
    const bytes = fs.readFileSync(join(folder, file));
    const name = readEnvelope(bytes).facts?.name;
    if (!Object.hasOwn(agents, name)) continue;
    const { output, error, ...told } = await replay(bytes, agents[name], { vault: false });
    process.stdout.write(JSON.stringify({ name, ...told }) + "\\n" + inspect(told, { depth: 20 }) + "\\n");
  }
}
`;
}
