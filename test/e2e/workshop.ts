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
import { editSource } from "./edit-source.ts";
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
    const packages = new Set(edits.map((edit) => edit.package));
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
    for (const { symbol, change, package: edited } of edits) {
      if (edited !== name) continue;
      const made = globSync("src/**/*.ts", { cwd: folder, exclude: ["**/*.test.ts", "**/*.fixture.ts"] }).flatMap(
        (path) => {
          const text = editSource(readFileSync(join(folder, path), "utf8"), symbol, change);
          return text === null ? [] : [{ path, text }];
        },
      );
      const [edit] = made;
      if (edit === undefined || made.length > 1)
        throw new Error(`${name} declares ${symbol} ${made.length} times: the rule has moved`);
      writeFileSync(join(folder, edit.path), edit.text);
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
