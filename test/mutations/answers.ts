import { readFileSync } from "node:fs";
import type { Ask, ToolCall } from "@reenact/wire";
import type { Answer } from "../../examples/scripted-provider/answer.ts";
import type { Script } from "../../examples/scripted-provider/provider.ts";

/** Examples bring their own. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  "refund-agent": await scriptOf("refund-agent"),
  "weather-loop": await scriptOf("hand-written-loop"),
};

async function scriptOf(example: string): Promise<Script> {
  const { href } = new URL(`../../examples/${example}/script.mjs`, import.meta.url);
  return ((await import(href)) as { script: Script }).script;
}

/** A recorded run of tau-bench: what lies beside its program, and what its model and its customer say. */
export const airline = JSON.parse(readFileSync(new URL("chains/airline.json", import.meta.url), "utf8")) as {
  policy: string;
  question: string;
  says: string[];
  tools: unknown[];
  results: Record<string, string>;
  answers: Answer[];
};

const call = (name: string, args: ToolCall["args"]): ToolCall => ({ name, args });

/** What the models of the programs say: by program, one answer per turn, the last one again. */
const TURNS: Readonly<Record<string, readonly Answer[]>> = {
  "chat-loop": [
    { calls: [call("find_order", { number: "A-1001" }), call("find_order", { number: "A-1002" })] },
    { calls: [call("cancel_order", { number: "A-1002", reason: "duplicate" })] },
    { text: "A-1002 is cancelled." },
  ],
  "responses-chain": [{ thinking: "a train", calls: [call("find_train", { to: "Bern" })] }],
  "anthropic-loop": [
    { thinking: "They want Momo.", text: "I look.", calls: [call("search", { title: "Momo" })] },
    { thinking: "It is there.", text: "We have it." },
  ],
  "sdk-helpers": [{ calls: [call("weather", { city: "Bern" })] }, { text: "Over Bern it is grey." }],
  "tau-chain": airline.answers,
};

/** What a program's own API answers: ids of providers' forms, new ones each time. */
function own(ask: Ask): Answer {
  const { serial, path } = ask;
  const ids = { id: `thread_${serial}`, run: `run_${serial}`, file: `file-${serial}a`, other: `file-${serial}b` };
  return {
    json: { ...ids, path: path.replace(/^\/[^/]*/, ""), status: "queued", sky: "clear", degrees: serial.length },
  };
}

/** The answer to a request; the program's name is the first part of the path. */
export function answers(ask: Ask): Answer | undefined {
  const script = SCRIPTS[ask.path.split("/")[1] ?? ""];
  if (script !== undefined && ask.api !== "other") return script(ask);
  if (ask.api === "other" || ask.api === "files") return own(ask);
  const [, program = ""] = ask.path.split("/");
  const trouble = troubleOf(ask);
  if (trouble !== undefined) return trouble;
  const turns = ask.tools.length > 0 || ask.turns > 0 ? (TURNS[program] ?? []) : [];
  return turns[Math.min(ask.turns - before(program), turns.length - 1)];
}

/** Answers of the model that a program's first request already holds. */
const before = (program: string): number => (program === "chat-loop" ? 1 : 0);

/** A program asks for trouble by a word in its question. */
function troubleOf({ lastUser, attempt }: Ask): Answer | undefined {
  if (lastUser.includes("[slow]")) return { text: "at last", pace: { first: 80 } };
  if (lastUser.includes("[verdict]")) return { text: JSON.stringify({ good: true, why: "calm" }) };
  if (lastUser.includes("[drip]")) return { text: "The day ends. The night is long.", pieces: 8, pace: { each: 8 } };
  if (lastUser.includes("[refuse]")) return { failure: { status: 400, type: "invalid_request", message: "no" } };
  if (!lastUser.includes("[fail once]") || attempt > 0) return undefined;
  const failure = { status: 503, type: "overloaded", message: "come again" };
  return { failure, headers: { "retry-after-ms": "20" } };
}
