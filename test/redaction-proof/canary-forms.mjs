// The forms in which a text holds a value, and the places that a program puts such a text: each form goes to each place.
const ESCAPE = String.fromCharCode(27);
const percent = (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** What a header can hold: colours are there without their escape characters. */
const oneLine = (text) => text.replaceAll(ESCAPE, "").replaceAll(/[^\x20-\x7e]+/g, " ");

export const forms = {
  sentence: (v) => `Please write to ${v}, and soon.`,
  json: (v) => JSON.stringify({ id: 7, note: v }),
  "json, pretty": (v) => JSON.stringify({ id: 7, list: [{ note: v }] }, null, 2),
  "json in json": (v) => JSON.stringify({ body: JSON.stringify({ body: JSON.stringify([v]) }) }),
  "lines of json": (v) => `${JSON.stringify({ n: 1 })}\n${JSON.stringify({ note: v })}\n`,
  events: (v) => `event: delta\ndata: ${JSON.stringify({ text: v })}\n\ndata: [DONE]\n\n`,
  yaml: (v) => `owner:\n  - note: ${v}\n    kind: "x"\n`,
  xml: (v) => `<customer id="7"><note>${v}</note></customer>`,
  attribute: (v) => `<a title="${v}" href="/x">x</a>`,
  cdata: (v) => `<note><![CDATA[${v}]]></note>`,
  "markdown table": (v) => `| id | note |\n|---|---|\n| 7 | ${v} |\n`,
  "markdown link": (v) => `see [the page](https://h.example/u?who=${encodeURIComponent(v)})`,
  "bold letters": (v) => `It is **${v}**.`,
  csv: (v) => `id,note\n7,"${v}"\n8,x\n`,
  tabs: (v) => `id\tnote\n7\t${v}\n`,
  "line of a log": (v) => `2024-05-01T10:00:00.123Z INFO [svc] handled who=${v} in 12ms\n`,
  "line of a change": (v) => `@@ -1 +1 @@\n-const owner = "nobody";\n+const owner = "${v}";\n`,
  code: (v) => `const owner = ${JSON.stringify(v)};\n`,
  "quoted mail": (v) => `On Monday Bob wrote:\n> it is ${v}\n>\n> Bob\n`,
  statement: (v) => `INSERT INTO note (id, text) VALUES (7, '${v}');`,
  command: (v) => `notify --to '${v}' --quiet`,
  colours: (v) => `${ESCAPE}[1m${v}${ESCAPE}[0m done`,
  base64: (v) => Buffer.from(`see ${v} now`).toString("base64"),
  hexadecimal: (v) => Buffer.from(`see ${v} now`).toString("hex"),
  "data url": (v) => `data:text/plain;base64,${Buffer.from(`see ${v} now`).toString("base64")}`,
  percent: (v) => `https://h.example/find?who=${percent(v)}&n=1`,
  escapes: (v) => `{"note":"${[...v].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}`,
};

/** `use` has what an agent has: canary-agent.mjs makes it. */
export const places = {
  prompt: (text, use) => use.post(use.chat(text)),
  "system prompt": (text, use) => use.post(use.chat("hi", { system: text })),
  "result in a prompt": async (text, use) => use.post(use.chat(JSON.stringify(await use.echo({ found: text })))),
  "parts of a prompt": (text, use) => use.post(use.chat([{ type: "text", text }])),
  argument: (text, use) => use.echo(text),
  "argument, nested": (text, use) => use.echo(new Map([["a", new Set([[text]])]])),
  error: (text, use) => use.fail(text).catch(() => {}),
  yields: (text, use) => use.pieces(text),
  "step's result": (text, use) => use.step("look", async () => text),
  "agent's output": (text, use) => use.agent("inner", async (value) => `${value}${await use.echo("")}`)(text),
  "input's answer": (text, use) => use.ask(text),
  flag: (text, use) => use.flag(text),
  "body of a form": (text, use) =>
    use.post(new URLSearchParams({ a: "1", note: text }).toString(), {
      "content-type": "application/x-www-form-urlencoded",
    }),
  "part of a form": (text, use) => use.upload(text),
  "plain body": (text, use) => use.post(text, { "content-type": "text/plain" }),
  query: (text, use) => use.get(`/q?note=${encodeURIComponent(text)}`),
  header: (text, use) => use.post(use.chat("hi"), { "x-note": oneLine(text) }),
  file: (text, use) => use.file(text),
  row: (text, use) => use.row(text),
  output: (text) => void process.stdout.write(`${text}\n`),
};

/** The names of all carriers, `place of form`. */
export const matrix = Object.keys(places).flatMap((place) => Object.keys(forms).map((form) => `${place}: ${form}`));

export async function carry(name, value, use) {
  const at = name.indexOf(": ");
  await places[name.slice(0, at)](forms[name.slice(at + 2)](value), use);
}
