// Writes terminal.svg, the picture in the repository's README: a real recording, its replay, and a replay of changed code.
// `node picture.mjs` writes the file; with `--check` it only runs the commands and fails if an exit code differs.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { seed } from "./seed.mjs";

const here = import.meta.dirname;
const COLUMNS = 104;
const LINE = 19;
const CHARACTER = 7.85;
const PADDING = 18;
const BAR = 34;
const COLOURS = {
  prompt: "#8b949e",
  command: "#f0f6fc",
  text: "#c9d1d9",
  good: "#3fb950",
  bad: "#ff7b72",
  faint: "#8b949e",
};

const folder = mkdtempSync(join(tmpdir(), "refund-picture-"));
const environment = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ""}` };
for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "REFUND_DB", "REFUND_MODEL"]) delete environment[name];

/** Runs one command of reenact beside a copy of the agent, and returns what a terminal would show. */
function reenact(args, expected, env = {}) {
  const cli = join(here, "../../packages/cli/bin/reenact.js");
  const options = { cwd: folder, env: { ...environment, ...env }, encoding: "utf8", timeout: 60_000 };
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [cli, ...args], options);
  if (error) throw error;
  if (status !== expected)
    throw new Error(`reenact ${args.join(" ")} ended with ${status}, not ${expected}:\n${stderr}`);
  return stripVTControlCharacters(stdout + stderr)
    .replaceAll(`${folder}/`, "")
    .trimEnd()
    .split("\n");
}

async function startProvider() {
  const main = join(here, "../scripted-provider/main.ts");
  const child = spawn(process.execPath, [main, "--script", join(here, "script.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { child, ...JSON.parse(line) };
}

const colourOf = (text) => {
  if (text.startsWith("# ")) return COLOURS.faint;
  if (text.startsWith("✓")) return COLOURS.good;
  if (text.startsWith("✗")) return COLOURS.bad;
  return COLOURS.text;
};

/** Spaces become no-break ones: SVG collapses the others. */
const escape = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(" ", "&#160;");

/** Long lines end in "…": the picture shows what a line is about, and the terminal has the rest. */
const cut = (text) => (text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text);

function svg(lines) {
  const width = Math.ceil(COLUMNS * CHARACTER) + 2 * PADDING;
  const height = BAR + lines.length * LINE + PADDING;
  const rows = lines.map((line, index) => {
    const y = BAR + (index + 1) * LINE - 4;
    const command = line.startsWith("$ ");
    const shown = escape(cut(command ? line.slice(2) : line));
    const prompt = command ? `<tspan fill="${COLOURS.prompt}">$ </tspan>` : "";
    return `<text x="${PADDING}" y="${y}" fill="${command ? COLOURS.command : colourOf(line)}"${command ? ' font-weight="600"' : ""}>${prompt}${shown}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">A terminal: an agent is recorded, replayed identically without its provider, and diverges once its prompt is edited</title>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<g><circle cx="22" cy="18" r="6" fill="#ff5f57"/><circle cx="42" cy="18" r="6" fill="#febc2e"/><circle cx="62" cy="18" r="6" fill="#28c840"/></g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
${rows.join("\n")}
</g>
</svg>
`;
}

let provider;
try {
  for (const file of ["agent.mjs", "tools.json", "package.json"]) cpSync(join(here, file), join(folder, file));
  symlinkSync(join(here, "../../node_modules"), join(folder, "node_modules"));
  seed(join(folder, "refunds.db"));

  provider = await startProvider();
  const recorded = reenact(["run", "--", "node", "agent.mjs"], 1, {
    OPENAI_BASE_URL: `${provider.url}/v1`,
    OPENAI_API_KEY: "demo",
  });
  provider.child.kill("SIGTERM");
  await once(provider.child, "exit");

  const replayed = reenact(["replay", "@last", "--", "node", "agent.mjs"], 0);
  const source = readFileSync(join(folder, "agent.mjs"), "utf8");
  writeFileSync(join(folder, "agent.mjs"), source.replace("// tone", '"Answer in one short sentence.",'));
  const edited = reenact(["replay", "@last", "--", "node", "agent.mjs"], 10);

  /** The report is what follows the agent's own output. */
  const report = (lines) => lines.slice(lines.findIndex((line) => /^[✓✗]/.test(line)));
  const lines = [
    "# Record an agent that cancels the wrong order.",
    "$ npx reenact run -- node agent.mjs",
    ...recorded,
    "",
    "# The provider is gone. Replay the run from its record: every call is served, nothing is deleted again.",
    "$ npx reenact replay @last -- node agent.mjs",
    ...report(replayed),
    "",
    "# Edit one line of the prompt and replay again.",
    "$ npx reenact replay @last -- node agent.mjs",
    ...report(edited),
  ];
  if (!process.argv.includes("--check")) writeFileSync(join(here, "terminal.svg"), svg(lines));
  console.log(lines.map(cut).join("\n"));
} finally {
  provider?.child.kill();
  rmSync(folder, { recursive: true, force: true });
}
