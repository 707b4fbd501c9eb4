import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import type { Edit } from "./rule.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A copy of the built packages and of the turn programs in a temporary folder, with edits in the sources. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), "reenact-workshop-"));
  readonly bin = join(this.folder, "packages/cli/bin/reenact.js");
  readonly programs = join(this.folder, "programs/turns");

  static async make(edits: readonly Edit[]): Promise<Workshop> {
    const workshop = new Workshop();
    workshop.#copy();
    const packages = new Set(edits.map(({ file }) => file.split("/")[0] ?? ""));
    for (const name of packages) await workshop.#rebuild(name, edits);
    return workshop;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #copy(): void {
    const modules = join(this.folder, "node_modules");
    mkdirSync(join(modules, "@reenact"), { recursive: true });
    for (const name of readdirSync(join(root, "node_modules"))) {
      if (!name.startsWith(".") && name !== "@reenact")
        symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
    for (const name of readdirSync(join(root, "packages"))) {
      const from = join(root, "packages", name);
      const to = join(this.folder, "packages", name);
      symlinkSync(to, join(modules, "@reenact", name));
      for (const path of globSync(["package.json", "bin/**", "dist/package.json", "dist/**/*.js"], { cwd: from }))
        cpSync(join(from, path), join(to, path), { recursive: true });
      if (readdirSync(from).includes("node_modules")) symlinkSync(join(from, "node_modules"), join(to, "node_modules"));
    }
    cpSync(join(root, "test/programs/turns"), this.programs, { recursive: true });
  }

  /** Bundles a package's edited sources over its built files, as the build does. */
  async #rebuild(name: string, edits: readonly Edit[]): Promise<void> {
    const folder = join(this.folder, "packages", name);
    cpSync(join(root, "packages", name, "src"), join(folder, "src"), { recursive: true });
    for (const { file, find, replace } of edits) {
      if (!file.startsWith(`${name}/`)) continue;
      const path = sourceOf(folder, file);
      const text = readFileSync(path, "utf8");
      const places = [...text.matchAll(new RegExp(anyLayout(find), "g"))];
      if (places.length !== 1)
        throw new Error(`${file} holds ${JSON.stringify(find)} ${places.length} times: the rule has moved`);
      const [{ index, 0: found }] = places as [RegExpExecArray];
      writeFileSync(path, text.slice(0, index) + replace + text.slice(index + found.length));
    }
    const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      exports: Record<string, { "@reenact/source": string; default: string }>;
    };
    const dist = join(folder, "dist");
    const input = Object.fromEntries(
      Object.values(exports).map((entry) => [
        relative(dist, join(folder, entry.default)).slice(0, -".js".length),
        join(folder, entry["@reenact/source"]),
      ]),
    );
    for (const path of globSync("**/*.js", { cwd: dist })) rmSync(join(dist, path));
    const made = await rolldown({
      input,
      cwd: dirname(dist),
      platform: "node",
      // an ES module's default export, which `require` does not give as `import` does
      external: (id) => !/^[./]/.test(id) && id !== "canonicalize",
      logLevel: "silent",
    });
    const format = existsSync(join(dist, "package.json")) ? "cjs" : "esm";
    await made.write({ dir: dist, format, strict: true, chunkFileNames: "[name]-[hash].js" });
    await made.close();
  }
}

/** `capture/tool.ts`: the one file of that name in the package, in whatever folder. */
function sourceOf(folder: string, file: string): string {
  const found = globSync(`src/**/${file.split("/")[1]}`, { cwd: folder });
  const [path] = found;
  if (path === undefined || found.length > 1)
    throw new Error(`${file} names ${found.length} files: the rule has moved`);
  return join(folder, path);
}

/** The same text, wherever a formatter breaks its lines. */
function anyLayout(text: string): string {
  return text
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\s+/g, "\\s+")
    .replace(/\\\(/g, "\\(\\s*")
    .replace(/\\\)/g, ",?\\s*\\)");
}
