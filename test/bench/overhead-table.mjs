/** Recorders in the order of the table; the first is the program alone. */
export const NAMES = {
  nothing: "SDK alone",
  reenact: "**Reenact**, kept on this machine",
  "reenact-sent": "**Reenact**, sent as OTLP",
  openinference: "OpenInference",
  langsmith: "LangSmith",
  langfuse: "Langfuse",
  openllmetry: "OpenLLMetry",
  sentry: "Sentry",
  braintrust: "Braintrust",
};
const JOBS = {
  history: "call, 50 KB in (2 KB of it new), 50 KB out",
  fresh: "call, 50 KB in (all new), 50 KB out",
  usual: "call, 50 KB in (2 KB of it new), 1 KB out",
  chunk: "stream chunk",
};

/** Markdown of what `overhead` has measured. */
export function overheadTable(measured) {
  const names = Object.keys(measured.memory);
  const lines = [
    `| added µs per … | ${Object.values(JOBS).join(" | ")} | memory |`,
    `|---|${"---:|".repeat(Object.keys(JOBS).length + 1)}`,
  ];
  for (const name of names) {
    const cells = Object.keys(JOBS).map((job) => {
      const { returned, thread, process } = measured[job][name];
      return `${us(returned)} · ${us(thread)} · ${us(process)}`;
    });
    lines.push(`| ${NAMES[name]} | ${cells.join(" | ")} | ${Math.round(measured.memory[name] / 1e6)} MB |`);
  }
  const peers = names.filter((name) => name !== "nothing" && !name.startsWith("reenact"));
  if (peers.length > 0 && names.includes("reenact")) {
    const cells = Object.keys(JOBS).map((job) =>
      ["returned", "thread", "process"].map((key) => ratio(measured[job], key, peers)).join(" · "),
    );
    lines.push(`| Reenact kept ÷ lowest peer | ${cells.join(" | ")} | |`);
  }
  return lines.join("\n");
}

function ratio(by, key, peers) {
  const lowest = Math.min(...peers.map((name) => by[name][key]));
  return lowest > 0 ? (by.reenact[key] / lowest).toFixed(1) : "–";
}

function us(value) {
  return Math.abs(value) < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}
