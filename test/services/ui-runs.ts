import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  encodeResource,
  encodeScope,
  encodeTraces,
  joinTraces,
  type OtlpSpan,
  plainSpan,
  scanTraces,
} from "@reenact/envelope";
import { startProvider } from "../../examples/scripted-provider/provider.ts";
import { bin, launch } from "../e2e/reenact.ts";

export const EXAMPLE = join(import.meta.dirname, "../../examples/refund-agent");

/** The example agent, its provider and its database. `remove` ends the provider and deletes the folder. */
export async function openRefund() {
  const folder = mkdtempSync(join(tmpdir(), "reenact-ui-"));
  const { script } = (await import(join(EXAMPLE, "script.mjs"))) as { script: never };
  const provider = await startProvider({ script });
  const env = {
    REFUND_DB: join(folder, "refunds.db"),
    OPENAI_BASE_URL: `${provider.url}/v1`,
    OPENAI_API_KEY: "demo",
  };
  await launch([process.execPath, join(EXAMPLE, "seed.mjs")], { env });
  const store = join(folder, "store");
  const fixtures = join(folder, "fixtures");
  return {
    store,
    fixtures,
    env,
    /** `reenact test …` over the agent and the fixtures. */
    test: (args: readonly string[], command: readonly string[] = []) =>
      launch([process.execPath, bin, "test", ...args, "--store", store, "--dir", fixtures, ...command], {
        cwd: EXAMPLE,
        env,
      }),
    /** A command of reenact over the agent. Returns the id of the run that it made. */
    async command(args: readonly string[], own: Readonly<Record<string, string>> = {}): Promise<string> {
      const file = join(folder, "facts.json");
      const [name = "", ...rest] = args;
      const options = ["--store", store, "--json-file", file, "--", process.execPath, "agent.mjs"];
      const ended = await launch([process.execPath, bin, name, ...rest, ...options], {
        cwd: EXAMPLE,
        env: { ...env, ...own },
      });
      const { run } = JSON.parse(readFileSync(file, "utf8")) as { run: string | null };
      if (run === null) throw new Error(`nothing was recorded: ${ended.stderr}`);
      return run;
    },
    async remove() {
      await provider.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs the example agent under the built command, which sends the record to a collector. Returns the id of the run. */
export async function recordRefund(endpoint: string): Promise<string> {
  const refund = await openRefund();
  try {
    return await refund.command(["run"], { REENACT_ENDPOINT: endpoint });
  } finally {
    await refund.remove();
  }
}

let number = 0;
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

interface ForeignCall {
  readonly input: string;
  readonly output: string;
  readonly error?: string;
  /** by kind, as the provider counted them */
  readonly tokens?: Readonly<Record<string, number>>;
  /** a call of a model, where nothing else is said */
  readonly kind?: "LLM" | "TOOL" | "AGENT";
  readonly name?: string;
  /** position of the call in which it was made */
  readonly under?: number;
}

/** A run that another instrumentation made: a root span with one model call for each pair of texts. */
export function foreignRun(
  name: string,
  calls: readonly ForeignCall[],
): { readonly id: string; readonly body: Uint8Array } {
  const trace = `feed${hex(++number, 28)}`;
  const origin = {
    resource: encodeResource({ "service.name": name }),
    scope: encodeScope("foreign"),
    resourceSchemaUrl: "",
    scopeSchemaUrl: "",
  };
  const start = BigInt(Date.now()) * 1_000_000n;
  const at = (n: number) => start + BigInt(n) * 2_000_000n;
  const made = (change: Partial<OtlpSpan> & { readonly spanId: string; readonly name: string }) =>
    scanTraces(encodeTraces(plainSpan({ traceId: trace, ...change }), origin));
  const root = made({ spanId: hex(1, 16), name, startUnixNano: start, endUnixNano: at(calls.length + 1) });
  const steps = calls.flatMap(({ input, output, error, tokens = {}, kind = "LLM", name: step = "chat", under }, n) =>
    made({
      spanId: hex(n + 2, 16),
      parentSpanId: hex(under === undefined ? 1 : under + 2, 16),
      name: step,
      startUnixNano: at(n),
      endUnixNano: at(n) + 1_500_000n,
      status: { code: error === undefined ? 1 : 2, message: error ?? "" },
      attributes: {
        "openinference.span.kind": kind,
        "input.value": input,
        "output.value": output,
        ...tokenAttributes(tokens),
      },
    }),
  );
  return { id: trace, body: joinTraces([...root, ...steps]).bytes };
}

const tokenAttributes = (tokens: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(tokens).map(([kind, count]) => [`llm.token_count.${kind}`, count]));

/** An agent that asks two others, of which the second one fails in a tool. */
export const nestedRun = () =>
  foreignRun("travel-desk", [
    { kind: "AGENT", name: "planner", input: "Plan a weekend in Bergen", output: "flight and hotel" },
    { under: 0, input: "Plan a weekend in Bergen", output: "I ask for a flight first." },
    { under: 0, kind: "AGENT", name: "flights", input: "Bergen, Friday", output: "SK 281, 18:20" },
    { under: 2, kind: "TOOL", name: "search_flights", input: '{"to":"BGO"}', output: '[{"flight":"SK 281"}]' },
    { under: 2, input: "Which flight is best?", output: "SK 281, 18:20" },
    { under: 0, kind: "AGENT", name: "hotels", input: "Bergen, two nights", output: "", error: "hotels: no answer" },
    {
      under: 5,
      kind: "TOOL",
      name: "search_hotels",
      input: '{"city":"Bergen"}',
      output: "",
      error: "hotels: no answer",
    },
  ]);

/** Two calls of one conversation: the prompt of the second is another, its first message is cut off, and it asks for a refund. */
export function editedRun() {
  const calls = [{ id: "c1", type: "function", function: { name: "look_up", arguments: '{"mail":"ann"}' } }];
  const middle = [
    { role: "assistant", content: null, tool_calls: calls },
    { role: "tool", tool_call_id: "c1", content: '{"order":7781,"state":"sent"}' },
  ];
  const asked = (shop: string, messages: readonly object[]) =>
    JSON.stringify({ messages: [{ role: "system", content: `You answer for a shop of ${shop}.` }, ...messages] });
  const refund = { id: "c2", type: "function", function: { name: "refund", arguments: "" } };
  refund.function.arguments = JSON.stringify({ order: 7781, reason: "smashed glass" });
  const answer = (message: object) => JSON.stringify({ choices: [{ message: { role: "assistant", ...message } }] });
  return foreignRun("edited-prompt", [
    {
      input: asked("lamps", [{ role: "user", content: "where is my order?" }, ...middle]),
      output: answer({ content: "it was sent" }),
    },
    {
      input: asked("chairs", [...middle, { role: "user", content: "it came broken" }]),
      output: answer({ content: null, tool_calls: [refund] }),
    },
  ]);
}

const ESC = "\u001b";
/** Texts that a page could take for something else. */
export const HOSTILE = {
  name: `<img src=x onerror=document.title="owned"> ${ESC}[31mred${ESC}[0m`,
  question: `<script>document.title = "owned"</script> [link](javascript:alert(1)) \u202Edrowssap\u202C end`,
  answer: `<iframe srcdoc="<script>parent.document.title='owned'</script>"></iframe> ${ESC}]0;owned\u0007 <b onclick=x>bold</b>`,
  /** one line of a megabyte, without a blank */
  line: "x".repeat(1024 * 1024),
};

export function hostileRun() {
  const message = (content: string) => JSON.stringify({ choices: [{ message: { role: "assistant", content } }] });
  const asked = (content: string) => JSON.stringify({ messages: [{ role: "user", content }] });
  return foreignRun(HOSTILE.name, [
    { input: asked(HOSTILE.question), output: message(HOSTILE.answer) },
    { input: asked("half of a pair: ").replace("pair: ", String.raw`pair: \ud83d`), output: message(HOSTILE.line) },
    { input: asked("then?"), output: message("done"), error: '<script>document.title = "owned"</script>' },
  ]);
}
