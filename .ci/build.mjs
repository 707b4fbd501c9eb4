// build.mjs: brings the dist of every package and of the collector up to date. `tsc -b` checks and writes the types;
// then each entry point of a package becomes one readable file with its comments and a source map, with shared and lazily
// loaded parts as chunks, since an agent's start pays for every file. Other packages stay outside: there is one copy of each.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** What a bundle was made from, beside it. */
const STAMP = ".bundle";

/**
 * Libraries that are built into a package, which then brings their licence (THIRD-PARTY.md). zod: 95 files, most of
 * them messages in other languages, were half of what a command loaded; what is used of it is one. The names of
 * attributes: six files in every recorded process. canonicalize: an ES module's default export, which `require` does not
 * give as `import` does.
 */
const BUILT_IN = {
  capture: ["@arizeai/openinference-semantic-conventions"],
  providers: ["@arizeai/openinference-semantic-conventions"],
  envelope: ["zod", "canonicalize"],
};

/**
 * Programs of our own, and packages that only they load: ES modules. The other packages are loaded by agents and become
 * CommonJS, which both `require` and `import` take and whose compiled code can be cached (packages/node/src/own-code).
 */
const PROGRAMS = ["cli", "collector", "testing", "view", "vitest", "wire"];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The web pages: files for a browser, which the collector's package carries. */
const UI = join(root, "packages", "ui");
const packages = globSync("{packages/*,collector}/package.json", { cwd: root })
  .map((path) => join(root, dirname(path)))
  .filter((folder) => folder !== UI);

for (const folder of packages) {
  sayFormat(folder);
  // npm publishes the file that lies beside package.json; the repository keeps it once
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}
writeTypes();
const stale = packages.filter((folder) => readStamp(folder) !== stampOf(folder));
if (stale.length > 0) {
  const { rolldown } = await import("rolldown");
  await Promise.all(stale.map((folder) => bundle(rolldown, folder)));
}
await buildPages(join(root, "collector", "dist", "ui"));
await buildViewer(join(root, "collector", "dist", "ui", "viewer.html"));

/** The format of what is built differs from that of the sources: Node and the compiler both read it here. */
function sayFormat(folder) {
  if (PROGRAMS.includes(basename(folder))) return;
  mkdirSync(join(folder, "dist"), { recursive: true });
  const [path, text] = [join(folder, "dist", "package.json"), '{ "type": "commonjs" }\n'];
  // the compiler takes a file with a new time for a change, and checks every package once more
  if (!isFile(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}

/** Types that no entry point leads to are not kept: nobody can name them, and they would be installed. */
function writeTypes() {
  compile(packages.filter((folder) => !typesOf(folder).whole));
  // an entry may lead now to a file that was not kept and has not changed
  const lacking = packages.filter((folder) => !typesOf(folder).whole);
  if (lacking.length > 0) compile(lacking);
  for (const folder of packages) {
    const { reached } = typesOf(folder);
    for (const path of globSync("dist/**/*.d.ts", { cwd: folder })) {
      if (reached.has(join(folder, path))) shortenTypes(join(folder, path));
      else rmSync(join(folder, path));
    }
  }
}

/**
 * An installation pays for each byte: indented by tabs, and no maps, which are not published. The file keeps its time, by which
 * the compiler knows what is new.
 */
function shortenTypes(path) {
  const text = readFileSync(path, "utf8");
  const less = text
    .replaceAll(/^(?: {4})+/gm, (indent) => "\t".repeat(indent.length / 4))
    .replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, "\n");
  if (less === text) return;
  const { atime, mtime } = statSync(path);
  writeFileSync(path, less);
  utimesSync(path, atime, mtime);
}

/** `anew`: packages whose outputs the compiler wrongly takes to be there. */
function compile(anew) {
  for (const folder of anew) rmSync(join(folder, "tsconfig.tsbuildinfo"), { force: true });
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-b", root], { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(1);
}

/** Declarations that the entry points lead to, and whether all of them are there. */
function typesOf(folder) {
  const reached = new Set();
  const todo = entriesOf(folder).map(({ types }) => types);
  let whole = true;
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    if (!isFile(path)) whole = false;
    else {
      for (const [, name] of readFileSync(path, "utf8").matchAll(/["'](\.{1,2}\/[^"']+)\.(?:ts|js)["']/g))
        todo.push(join(dirname(path), `${name}.d.ts`));
    }
  }
  return { reached, whole };
}

/**
 * What `exports` of a package.json says: each name's source, and where its types and its code are to be. A pattern stands for
 * an entry for each source that fits it.
 */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.values(exports).flatMap((entry) => {
    const source = entry["@reenact/source"];
    return (source.includes("*") ? globSync(source, { cwd: folder }) : [source]).map((found) => {
      const [before, after] = source.replace("./", "").split("*");
      const star = after === undefined ? "" : found.slice(before.length, -after.length);
      return {
        source: join(folder, found),
        types: join(folder, entry.types.replace("*", star)),
        code: join(folder, entry.default.replace("*", star)),
      };
    });
  });
}

async function bundle(rolldown, folder) {
  const dist = join(folder, "dist");
  const stamp = stampOf(folder);
  const input = Object.fromEntries(
    entriesOf(folder).map(({ source, code }) => [relative(dist, code).slice(0, -".js".length), source]),
  );
  const made = await rolldown({
    input,
    cwd: folder,
    platform: "node",
    external: (id) => !/^[./]|^[A-Za-z]:[\\/]/.test(id) && !BUILT_IN[basename(folder)]?.includes(id),
    onLog: (level, log) => {
      throw new Error(`${relative(root, folder)}: ${level}: ${log.message}`);
    },
  });
  // no chunk in a folder: `import.meta.url` is one step below package.json, as it is in src
  const { output } = await made.write({
    dir: dist,
    format: PROGRAMS.includes(basename(folder)) ? "esm" : "cjs",
    strict: true,
    sourcemap: true,
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { groups: [{ name: "third-party", test: /[\\/]node_modules[\\/]/ }] },
  });
  await made.close();
  for (const { fileName } of output)
    if (fileName.endsWith(".js") && basename(folder) === "replay") hideFromErrors(join(dist, fileName));
  const written = new Set(output.map(({ fileName }) => join(dist, fileName)));
  // pages of the collector are built on their own
  for (const path of globSync("**/*.{js,js.map}", { cwd: dist, exclude: ["ui/**"] })) {
    if (!written.has(join(dist, path))) rmSync(join(dist, path), { force: true });
  }
  writeFileSync(join(dist, STAMP), stamp);
}

/** The compiler has checked them. What they import of other packages comes from the sources. */
async function buildPages(dist) {
  const stamp = pagesStamp();
  const stamped = join(UI, "dist", STAMP);
  if (isFile(join(dist, "index.html")) && isFile(stamped) && readFileSync(stamped, "utf8") === stamp) return;
  const { build } = await import("vite");
  await build({ root: UI, configFile: join(UI, "vite.config.ts"), logLevel: "warn", build: { outDir: dist } });
  mkdirSync(dirname(stamped), { recursive: true });
  writeFileSync(stamped, stamp);
}

/** The page that shows a dropped file: the pages, behind a script that reads files. */
async function buildViewer(path) {
  const stamp = viewerStamp();
  const [folder, stamped] = [join(UI, "dist", ".viewer-script"), join(UI, "dist", ".viewer")];
  if (isFile(path) && isFile(stamped) && readFileSync(stamped, "utf8") === stamp) return;
  const { build } = await import("vite");
  const configFile = join(UI, "vite.viewer.config.ts");
  await build({ root: UI, configFile, logLevel: "warn", build: { outDir: folder } });
  const { htmlFile } = await import("../collector/src/offline/html-file.ts");
  const before = [readFileSync(join(folder, "viewer.js"), "utf8")];
  const noscript = "This page shows the recorded run of a file. It needs JavaScript, and no network.";
  writeFileSync(path, htmlFile(dirname(path), { data: "", before, noscript }));
  writeFileSync(stamped, stamp);
}

function viewerStamp() {
  const read = ["collector", "packages/envelope", "packages/view"].flatMap((name) =>
    globSync(`${name}/src/**/*.ts`, { cwd: root, exclude: (each) => each.includes(".test.") }),
  );
  return hashOf(read.map((path) => join(root, path)).toSorted()) + pagesStamp();
}

function pagesStamp() {
  const view = join(root, "packages", "view");
  const files = globSync(["src/**/*", "public/**/*", "*.{html,ts,json}"], { cwd: UI }).map((path) => join(UI, path));
  return hashOf([...files, ...globSync("src/text/*.ts", { cwd: view }).map((path) => join(view, path))].toSorted());
}

/**
 * Node prints the line that threw an error which nobody catches, as a refusal of a replay may be. It leaves out a line that
 * holds these words.
 */
function hideFromErrors(path) {
  const code = readFileSync(path, "utf8");
  writeFileSync(path, code.replaceAll(/^.*\bthrow\b.*$/gm, "$& // node-do-not-add-exception-line"));
}

function readStamp(folder) {
  const whole = entriesOf(folder).every(({ code }) => isFile(code));
  const path = join(folder, "dist", STAMP);
  return whole && isFile(path) ? readFileSync(path, "utf8") : null;
}

/** Changes with any file that a bundle is made from or by. */
function stampOf(folder) {
  const made = globSync("src/**/*.ts", { cwd: folder, exclude: (name) => name.includes(".test.") })
    .map((path) => join(folder, path))
    .toSorted();
  return hashOf([join(folder, "package.json"), ...made]);
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const path of [fileURLToPath(import.meta.url), ...files]) {
    const { size, mtimeMs } = statSync(path);
    hash.update(JSON.stringify([relative(root, path), size, mtimeMs]));
  }
  return hash.digest("hex");
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
