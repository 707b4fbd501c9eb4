// agent.mjs <recorder>: makes the calls that its parent asks for, under one recorder, and says what each took on this
// thread. `nothing` and `reenact` are the same program; the latter is started with the preload.
import OpenAI from "openai";
import { prose } from "./prose.mjs";
import { threadTime } from "./thread-time.mjs";

const { setTimeout, cpu } = globalThis[Symbol.for("reenact.bench")];
const KB = 1024;

const set = { nothing: plain, reenact: plain, openinference, langsmith }[process.argv[2]];
const client = await set();
let ended = 0;
let turn = Math.floor(process.pid % 1000) * 100_000;
process.on("message", (job) => void answer(job));
process.send("ready");

async function answer(job) {
  process.send(await work(job));
}

function plain() {
  return new OpenAI({ apiKey: "sk-bench", baseURL: "http://provider.test/v1", maxRetries: 0, fetch: undefined });
}

/** As its documentation sets it up, with the batch processor and the protobuf exporter. */
async function openinference() {
  const { OpenAIInstrumentation } = await import("@arizeai/openinference-instrumentation-openai");
  const { BatchSpanProcessor, TracerProvider } = await import("@opentelemetry/sdk-trace");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-proto");
  const exporter = new OTLPTraceExporter({ url: `${process.env.BENCH_SINK}/v1/traces` });
  const tracerProvider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 500 })],
  });
  new OpenAIInstrumentation({ tracerProvider }).manuallyInstrument(OpenAI);
  return plain();
}

/** As its documentation sets it up. */
async function langsmith() {
  const { wrapOpenAI } = await import("langsmith/wrappers");
  return wrapOpenAI(plain());
}

/** `late`: what the process did since the last job, for it. `kind`: fresh = every byte is new; history = all but the last 2 KB was sent before; stream = `chunks` pieces. */
async function work({ kind, calls, chunks }) {
  const samples = [];
  const before = total(cpu());
  const late = ended === 0 ? 0 : before - ended;
  for (let i = 0; i < calls; i++) {
    turn++;
    const request = requestOf(kind, chunks);
    const from = threadTime();
    if (kind === "stream") for await (const _ of await client.chat.completions.create({ ...request, stream: true }));
    else await client.chat.completions.create(request);
    // what a recorder does later on this thread is part of its price
    await new Promise((resolve) => setTimeout(resolve, 3));
    samples.push(threadTime() - from);
  }
  ended = total(cpu());
  return { samples, cpu: ended - before, late };
}

function requestOf(kind, chunks) {
  const wish = `[[${JSON.stringify({ bytes: kind === "stream" ? 24 * chunks : 50 * KB, chunks: kind === "stream" ? chunks : 0, turn })}]]`;
  const sizes =
    kind === "stream" ? [2 * KB] : kind === "fresh" ? [25 * KB, 25 * KB] : Array.from({ length: 24 }, () => 2 * KB);
  const messages = sizes.map((size, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: prose(size, kind === "history" ? at : turn * 100 + at),
  }));
  if (kind === "history") messages.push({ role: "user", content: prose(2 * KB, turn * 100 + 99) });
  return { model: "gpt-5-mini", messages, user: wish };
}

function total({ user, system }) {
  return user + system;
}
