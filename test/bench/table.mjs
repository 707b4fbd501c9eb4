const NAMES = {
  reenact: "Reenact",
  openinference: "OpenInference",
  langsmith: "LangSmith",
};
const JOBS = {
  history: "call, 50 KB in (2 KB of it new), 50 KB out",
  fresh: "call, 50 KB in (all new), 50 KB out",
  chunk: "stream chunk",
};

/** Markdown of all measurements. Ratios are ours to the lowest peer's. */
export function tableOf({ overhead, startUp, oneCall, replay, stored, redaction }, { node, processor, load, quick }) {
  const lines = [
    `Node ${node} on ${processor}, load average ${load}, one run of \`npm run bench\`${quick ? " --quick (too short to mean anything)" : ""}. What a recorder adds to the`,
    "agent's thread, real `openai` SDK over an in-process `fetch`, asked in turn; exporters send to a loopback sink. In",
    "brackets: the nine in ten, and what the whole process takes.",
    "",
    "| added µs per … | SDK alone | Reenact | OpenInference | LangSmith | Reenact ÷ lowest peer |",
    "|---|---:|---:|---:|---:|---:|",
  ];
  for (const [job, label] of Object.entries(JOBS)) {
    const by = overhead[job];
    const added = (name, key) => by[name][key] - by.nothing[key];
    const cells = Object.keys(NAMES).map(
      (name) => `${us(added(name, "median"))} (${us(added(name, "p90"))}; ${us(added(name, "cpu"))})`,
    );
    const lowest = Math.min(...["openinference", "langsmith"].map((name) => added(name, "median")));
    lines.push(
      `| ${label} | ${us(by.nothing.median)} | ${cells.join(" | ")} | ${lowest > 0 ? (added("reenact", "median") / lowest).toFixed(1) : "–"} |`,
    );
  }
  const { plain, disabled, registered } = startUp;
  lines.push(
    "",
    "| | |",
    "|---|---|",
    `| start of a process, processor time | ${plain.cpu.toFixed(0)} ms plain, ${signed(disabled.cpu - plain.cpu)} ms disabled, ${signed(registered.cpu - plain.cpu)} ms recording |`,
    `| the same from start to end | ${plain.wall.toFixed(0)} ms plain, ${signed(disabled.wall - plain.wall)} ms disabled, ${signed(registered.wall - plain.wall)} ms recording |`,
    `| a program with one call, from start to end | ${oneCall.plain.toFixed(0)} ms plain, ${signed(oneCall.added)} ms recording (nine in ten: ${signed(oneCall.p90)} ms), ${signed(oneCall.first)} ms where no compiled code is kept |`,
    `| replay | ${count(replay.rate.replay)} steps/s (a run of ${count(replay.steps)}); the SDK alone, answered in the process: ${count(replay.rate.alone)} |`,
    `| ${stored.turns} turns with a growing history | ${kb(stored.raw)} on the wire, ${kb(stored.stored)} stored (${Math.round((stored.stored / stored.raw) * 100)} %) |`,
    `| redaction of new text | ${redaction.plain.toFixed(0)} MB/s plain, ${redaction.json.toFixed(0)} MB/s in JSON |`,
  );
  return lines.join("\n");
}

function count(value) {
  return Math.round(value).toLocaleString("en");
}

function us(value) {
  return Math.abs(value) < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

function kb(bytes) {
  return `${Math.round(bytes / 1024).toLocaleString("en")} KB`;
}

function signed(ms) {
  return `${ms < 0 ? "" : "+"}${ms.toFixed(0)}`;
}
