import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bin, launch, Store } from "../e2e/reenact.ts";
import { type Case, nameOf, type Suite } from "./edit.ts";
import { otherRelease } from "./other-release.ts";
import { programs, textsOf, textsWith } from "./texts.ts";
import type { ReplayReport } from "@reenact/replay";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** null where the command wrote none */
  readonly report: ReplayReport | null;
}

/** One program in a folder of its own: recorded once, then replayed after each change, always at the same path. */
export class Bench {
  readonly #suite: Suite;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #store = new Store();
  readonly #commands = new Map<string, Promise<number | null>>();
  /** files of the folder, by name */
  readonly #texts: Readonly<Record<string, string>>;
  #runs: readonly string[] = [];
  stdout = "";

  /** `home`: folder of all benches; `url`: the provider */
  constructor(suite: Suite, home: string, url: string) {
    this.#suite = suite;
    this.#texts = textsOf(suite);
    const name = nameOf(suite);
    this.#folder = join(home, name);
    this.#env = suiteEnvironment(suite, url);
  }

  async record(): Promise<void> {
    this.#layOut({ name: "", changes: [] });
    const { args = [], input } = this.#suite;
    const ended = await this.#store.run([process.execPath, this.#suite.program, ...args], {
      cwd: this.#folder,
      env: this.#env,
      ...(input !== undefined && { input }),
    });
    const { runs, complete, incompleteReasons } = ended.summary;
    if (runs.length === 0 || !complete)
      throw new Error(
        `${this.#suite.program} was not recorded: exit ${ended.code}, ${incompleteReasons.join()}\n${ended.stderr}`,
      );
    this.#runs = runs;
    this.stdout = ended.stdout;
  }

  /** null where the case needs a package that cannot be had */
  async replay(one: Case): Promise<Outcome | null> {
    this.#layOut(one);
    if (one.release !== undefined && !(await this.#installs(one.release))) return null;
    const { args = this.#suite.args ?? [], flags = [], env, cwd, run = 0 } = one;
    const folder = cwd === undefined ? this.#folder : join(this.#folder, cwd);
    mkdirSync(folder, { recursive: true });
    const program = cwd === undefined ? this.#suite.program : join(this.#folder, this.#suite.program);
    const { input } = this.#suite;
    try {
      return await this.#store.replay(this.#runs.at(run) ?? "", [process.execPath, program, ...args], {
        cwd: folder,
        env: { ...this.#env, ...env },
        flags: ["--timeout", "20", ...flags],
        timeoutMs: 30_000,
        ...(input !== undefined && { input }),
      });
    } catch (error) {
      return { code: null, stdout: "", stderr: String(error), report: null };
    }
  }

  /** Exit code of a command of a report, typed into a shell. */
  async type(command: string): Promise<number | null> {
    const typed = this.#commands.get(command) ?? this.#type(command);
    this.#commands.set(command, typed);
    return typed;
  }

  remove(): void {
    this.#store.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #type(command: string): Promise<number | null> {
    const shell = `reenact() { "${process.execPath}" "${bin}" "$@"; }\nnpx() { "$@"; }\n${command}`;
    const env = { ...this.#env, REENACT_STORE: this.#store.folder };
    return (await launch(["sh", "-c", shell], { cwd: this.#folder, env, timeoutMs: 30_000 })).code;
  }

  async #installs({ name, version }: NonNullable<Case["release"]>): Promise<boolean> {
    const from = await otherRelease(name, version);
    if (from === null) return false;
    const to = join(this.#folder, "node_modules", name);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
    return true;
  }

  /** The folder as it was before the recording, with the changes of a case. */
  #layOut(one: Case): void {
    writeFolder(this.#folder, textsWith(this.#texts, this.#suite, one), this.#suite.prepare);
  }
}

/** What a program needs to find its provider. */
export function suiteEnvironment(suite: Suite, url: string): Readonly<Record<string, string | undefined>> {
  const base = `${url}/${nameOf(suite)}`;
  return {
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: `${base}/v1`,
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: base,
    API_URL: base,
    WEATHER_URL: base,
    TEST_SEED: undefined,
    TEST_SCALE: undefined,
    ...suite.env,
  };
}

/** Makes a folder anew, with these files by name. */
export function writeFolder(
  folder: string,
  texts: Readonly<Record<string, string>>,
  prepare?: (folder: string) => void,
): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  prepare?.(folder);
}

/** Gives the programs of a folder the packages of this checkout. */
export function furnish(home: string): void {
  symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
  cpSync(join(programs, "package.json"), join(home, "package.json"));
}
