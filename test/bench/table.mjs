import { overheadTable } from "./overhead-table.mjs";

/** Markdown of all measurements. */
export function tableOf({ overhead, startUp, oneCall, replay, stored, redaction }, { node, processor, load, quick }) {
  const lines = [
    `Node ${node} on ${processor}, load average ${load}, one run of \`npm run bench\`${quick ? " --quick (too short to mean anything)" : ""}. What a recorder adds to a`,
    "call of the real `openai` SDK; a provider in the process answers after 20 ms; each recorder in a process of its own, asked in turn, with",
    "its own exporter to a loopback sink. Processor time of the agent's thread until the call returned · of that thread with the export",
    "behind it · of the whole process with the export.",
    "",
    overheadTable(overhead),
  ];
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

function kb(bytes) {
  return `${Math.round(bytes / 1024).toLocaleString("en")} KB`;
}

function signed(ms) {
  return `${ms < 0 ? "" : "+"}${ms.toFixed(0)}`;
}
