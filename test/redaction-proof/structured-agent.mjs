// Sends values in every shape through everything that takes typed values. `PLAN` names the plan: by name, then by
// carrier, one value for each shape. What it was served is put into a prompt, as an agent would.
import { readFileSync } from "node:fs";
import http from "node:http";
import { DatabaseSync } from "node:sqlite";
import { types } from "node:util";
import { agent, flag, identify, input, instrument, step, tool } from "@reenact/node";
import { Agent, request as undiciRequest } from "undici";
import { secretShapes, shapes } from "./shapes.mjs";

const plan = JSON.parse(readFileSync(process.env.PLAN, "utf8"));
const url = process.env.PROVIDER_URL;
let answer = null;
instrument({ onInput: () => answer });

const echo = tool("echo", async (value) => value);
const now = tool("now", (value) => value);
const thrown = tool("thrown", async (value) => {
  throw value;
});
const failed = tool("failed", async (value) => {
  throw Object.assign(new Error("refused", { cause: value }), { of: value });
});
const pieces = tool("pieces", async function* (value) {
  yield value;
  yield [value];
  return value;
});
const each = tool("each", function* (value) {
  yield { value };
});
const drain = async (generator) => {
  for await (const _ of generator) {
    // only the yields count
  }
};
const quiet = async (work) => {
  try {
    await work();
  } catch {
    // it was meant to
  }
};
const OPAQUE = [Blob, FormData, Headers, Request];
const isOpaque = (held) =>
  typeof held === "symbol" ||
  types.isProxy(held) ||
  OPAQUE.some((kind) => held instanceof kind) ||
  typeof held?.toJSON?.call !== "undefined";
/** What comes back from the record as a placeholder, which JSON shows. */
const isPlaceholder = (value) =>
  (typeof value === "object" && !(value instanceof URL) && isOpaque(value)) ||
  Object.values(Object(value)).some(
    (held) => !(held instanceof Date || held instanceof URL || Buffer.isBuffer(held)) && isOpaque(held),
  );
const asJson = (value) => {
  if (isPlaceholder(value)) return "a placeholder";
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch {
    return "a cycle";
  }
};
const prompt = async (value) => {
  const body = JSON.stringify({
    model: "echo",
    messages: [{ role: "user", content: `This is known: ${asJson(value)}` }],
  });
  await (
    await fetch(`${url}/v1/chat/completions`, { method: "POST", headers: { "content-type": "application/json" }, body })
  ).text();
};

const carriers = {
  "tool.argument": (value) => tool("take", async () => 1)(value),
  "tool.arguments": (value) => tool("take", async () => 1)("x", value, [value]),
  "tool.result": (value) => tool("give", async () => value)(),
  "tool.served": async (value) => prompt(isPlaceholder(value) ? "a placeholder" : await echo(value)),
  "tool.synchronous": (value) => now(value),
  "tool.thrown": (value) => quiet(() => thrown(value)),
  "tool.error": (value) => quiet(() => failed(value)),
  "tool.yields": (value) => drain(pieces(value)),
  "tool.synchronous-yields": (value) => drain(each(value)),
  "step.result": (value) => step("look", async () => value),
  "step.error": (value) =>
    quiet(() =>
      step("look", async () => {
        throw Object.assign(new RangeError("no"), { of: value });
      }),
    ),
  "step.yields": (value) =>
    drain(
      step("walk", async function* () {
        yield value;
        yield [value];
        return value;
      }),
    ),
  "step.synchronous-yields": (value) =>
    drain(
      step("walk", function* () {
        yield { value };
      }),
    ),
  "flag.reason": (value) => flag(`odd: ${asJson(value)}`),
  "input.answer": (value) => {
    answer = value;
    return input("who", "Who is it?");
  },
  "input.question": (value) => {
    answer = "yes";
    return input("sure", `Are you sure of ${asJson(value)}?`);
  },
};
/** Calls that are runs of their own take all shapes at once. */
const agents = {
  "agent.argument": (values) => agent("takes", async () => (await echo(1)) && 1)(values),
  "agent.result": (values) => agent("gives", async () => (await echo(1)) && values)(1),
  "agent.error": (values) =>
    quiet(() =>
      agent("fails", async () => {
        await echo(1);
        throw Object.assign(new Error("no", { cause: values }), { of: values });
      })(1),
    ),
  "agent.thrown": (values) =>
    quiet(() =>
      agent("throws", async () => {
        await echo(1);
        throw values;
      })(1),
    ),
  "agent.yields": (values) =>
    drain(
      agent("yields", async function* () {
        for (const value of values) yield await echo(value);
        return values;
      })(1),
    ),
};

/** Lists of headers as programs hold them: sent, and received from a provider that sends them back. */
async function headerLists(name, values) {
  const header = `x-${name.replaceAll("_", "-")}`;
  const mirror = ["x-mirror", header];
  const [flat, object, pairs, raw, undiciFlat, buffers] = values;
  const sent = (headers) =>
    new Promise((resolve, reject) => {
      const asked = http.request(`${url}/mirror`, { headers }, (answer) => {
        answer.resume().once("end", () => resolve(answer));
      });
      asked.once("error", reject).end();
    });
  const one = await sent([...mirror, header, flat]);
  await echo(one.rawHeaders);
  await echo({ rawHeaders: one.rawHeaders, headers: one.headers, distinct: one.headersDistinct });
  await echo((await sent({ "x-mirror": header, [header]: object })).headersDistinct);
  const fetched = await fetch(`${url}/mirror`, { headers: [mirror, [header, pairs]] });
  await fetched.text();
  await echo([...fetched.headers]);
  await echo(Object.fromEntries(fetched.headers));
  await prompt(await echo({ rawHeaders: (await sent([...mirror, header, raw])).rawHeaders }));
  const answer = await undiciRequest(`${url}/mirror`, { headers: [...mirror, header, undiciFlat] });
  await answer.body.text();
  await echo(answer.headers);
  await echo(await rawBuffers([...mirror, header, buffers]));
}

/** The list of buffers that undici hands to a handler of its own. */
function rawBuffers(headers) {
  const dispatcher = new Agent();
  const buffer = (text) => Buffer.from(text, "latin1");
  return new Promise((resolve, reject) => {
    const list = [];
    dispatcher.dispatch(
      { origin: url, path: "/mirror", method: "GET", headers },
      {
        onRequestStart() {},
        onResponseStart(controller, _status, parsed) {
          const raw = controller.rawHeaders ?? Object.entries(parsed).flat();
          list.push(...raw.map((each) => (Buffer.isBuffer(each) ? each : buffer(String(each)))));
        },
        onResponseData() {},
        onResponseEnd: () => resolve({ rawHeaders: list }),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  }).finally(() => dispatcher.close());
}

async function rows(name, [one, two, three]) {
  const database = new DatabaseSync(":memory:");
  database.exec(`CREATE TABLE account (id INTEGER, "${name}" TEXT, "${name}_2" BLOB)`);
  const put = database.prepare("INSERT INTO account VALUES (?, ?, ?)");
  for (const value of [one, two, three]) put.run(1, value, Buffer.from(value));
  const all = database.prepare(`SELECT id, "${name}" FROM account`);
  await echo(all.all());
  await echo(all.get());
  await prompt(await echo([...all.iterate()]));
  await echo(database.prepare(`SELECT "${name}_2" AS "${name}" FROM account`).all());
  await echo({ columns: ["id", name], rows: all.all().map((row) => Object.values(row)) });
  database.close();
}

await echo("first");
for (const [name, values] of Object.entries(plan)) {
  const table = name.startsWith("passport") ? shapes : { ...shapes, ...secretShapes };
  const makers = Object.values(table);
  for (const [carrier, use] of Object.entries(carriers))
    for (const [i, value] of values[carrier].entries()) await use(makers[i](name, value));
  for (const [carrier, use] of Object.entries(agents)) {
    const all = values[carrier].map((value, i) => makers[i](name, value));
    for (let at = 0; at < all.length; at += 24) await use(all.slice(at, at + 24));
  }
  await rows(name, values.rows);
  await headerLists(name, values["header-lists"]);
  const [user, session, tag] = values.identify;
  identify({
    user: JSON.stringify({ [name]: [user] }),
    session: JSON.stringify([{ name, value: session }]),
    tags: [JSON.stringify({ a: { [name]: tag } })],
  });
}
console.log("all done");
if (process.env.END === "kill") {
  // by then all of it is in the spool, and none of it sealed
  await new Promise((resolve) => setTimeout(resolve, 2000));
  process.kill(process.pid, "SIGKILL");
}
const [[last, { end }]] = Object.entries(plan);
throw Object.assign(new Error("the end"), { [last]: end[0], of: { [last]: [end[1]] } });
