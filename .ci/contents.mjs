// contents.mjs: what npm would publish of each package is code, types, documents and the licence, and nothing else. Ends with
// 1 and a line per file that should not be there, or is missing. Needs a build.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ALLOWED =
  /^(package\.json|LICENSE|[A-Z-]+\.md|bin\/[\w-]+\.js|dist\/package\.json|dist\/[\w./-]+\.(js|js\.map|d\.ts)|dist\/ui\/[\w./-]+\.(html|css|svg))$/;
const NOT_ALLOWED = /\.(test|fixture)\.|(^|\/)(src|node_modules)\//;
const REQUIRED = ["package.json", "LICENSE", "README.md"];
/** The web pages: bytes of all files as gzip, and of those that the first page loads. */
const MOST_PAGES = { all: 1_500_000, first: 250_000 };
const problems = [];

for (const manifest of globSync("{packages/*,collector}/package.json", { cwd: root })) {
  const folder = join(root, dirname(manifest));
  if (JSON.parse(readFileSync(join(root, manifest), "utf8")).private === true) continue;
  const { stdout, stderr, status } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm pack in ${folder} ended with ${status}: ${stderr}`);
  const [{ files, name }] = Object.values(JSON.parse(stdout));
  const paths = files.map(({ path }) => path);
  for (const path of REQUIRED) if (!paths.includes(path)) problems.push(`${name}: ${path} is missing`);
  for (const path of paths) {
    if (!ALLOWED.test(path) || NOT_ALLOWED.test(path)) problems.push(`${name}: ${path} would be published`);
    else if (readFileSync(join(folder, path), "utf8").includes(root)) problems.push(`${name}: ${path} names ${root}`);
  }
  console.log(`${name}: ${paths.length} files`);
}
checkPages(join(root, "collector", "dist", "ui"));

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function checkPages(folder) {
  if (!existsSync(join(folder, "index.html"))) return problems.push("@reenact/collector: dist/ui has no pages");
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const sizes = globSync("**/*.*", { cwd: folder }).map((path) => {
    const bytes = gzipSync(readFileSync(join(folder, path)), { level: 9 }).length;
    return { bytes, isFirst: path === "index.html" || page.includes(path) };
  });
  const sum = (of) => of.reduce((total, { bytes }) => total + bytes, 0);
  const [all, first] = [sum(sizes), sum(sizes.filter(({ isFirst }) => isFirst))];
  console.log(`pages: ${all} bytes as gzip, ${first} at first`);
  if (all > MOST_PAGES.all || first > MOST_PAGES.first) problems.push("@reenact/collector: the pages are too large");
}
