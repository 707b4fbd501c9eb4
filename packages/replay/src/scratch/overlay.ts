import { constants, type Stats } from "node:fs";
import { dirname, join, sep } from "node:path";
import { disk } from "./disk.ts";
import { type ErrorFixture, errorFixture } from "./error-fixture.ts";
import { locate } from "./locate.ts";
import type { Entry, ResolvedPath } from "./resolved-path.ts";

export interface OverlayOptions {
  /** a place of our own for copies, made if it is missing; every installation has its own folder in it */
  folder: string;
  ignore(path: string): boolean;
  onCopy(original: string): void;
}

/** Files that the module loader takes. */
const MODULE = /\.(?:[cm]?js|json)$/;
/** Kernel interfaces, not files. Shared memory is files. */
const KERNEL = /^\/(?:dev|proc|sys)(?:\/|$)/;
const SHARED_MEMORY = /^\/dev\/shm(?:\/|$)/;
/** Written to, these change nothing but the process itself and its terminal. */
const HARMLESS =
  /^\/dev\/(?:null|zero|full|tty|u?random|ptmx|std(?:in|out|err)|(?:fd|pts)\/.*)$|^\/proc\/(?:self|thread-self)\//;

/**
 * A copy-on-write view of the file system: what was written is in the upper tree, below `folder`; what was removed or
 * replaced is hidden in the lower tree, which is the original and is only ever read.
 *
 * Invariant: an upper entry that is no folder has its lower one hidden, so that removing it needs no second step.
 */
export class Overlay {
  readonly folder: string;
  readonly #options: OverlayOptions;
  readonly #home: string;
  readonly #tree: string;
  readonly #hidden = new Set<string>();
  readonly #noted = new Map<string, string>();
  /** folders whose mode the program has set: from then on the copy's own mode decides */
  readonly #opened = new Set<string>();
  #parts = 0;
  #hasModules = false;
  #listener: (() => void) | null = null;
  /** nothing is written, removed or made so far */
  pristine = true;
  /** the program's working folder where only the scratch copy has it, and the process is in the copy; null: as the process has it */
  workingFolder: string | null = null;

  constructor(options: OverlayOptions) {
    this.#options = options;
    disk.mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    this.#home = disk.realpathSync(options.folder);
    this.folder = disk.mkdtempSync(join(this.#home, "copy-"));
    this.#tree = join(this.folder, "tree");
  }

  /** Originals that were written, made or removed, in the order of the first access, each with where its copy is. */
  copies(): { original: string; copy: string }[] {
    return [...this.#noted].map(([original, copy]) => ({ original, copy }));
  }

  note(logical: string): void {
    this.#notice(logical);
    if (this.#noted.has(logical)) return;
    this.#noted.set(logical, this.upperOf(logical));
    this.#options.onCopy(logical);
  }

  /** Calls `listener`, once, as soon as there may be a module that only the scratch copy has. */
  onModule(listener: () => void): void {
    if (this.#hasModules) listener();
    else this.#listener = listener;
  }

  /** There may be such a module from now on: one was written, or a folder moved with whatever is in it. */
  expectModules(): void {
    this.#hasModules = true;
    this.#listener?.();
    this.#listener = null;
  }

  #notice(logical: string): void {
    if (!this.#hasModules && MODULE.test(logical)) this.expectModules();
  }

  locate(path: string, follow: boolean): ResolvedPath {
    return locate(this, path, follow);
  }

  look(logical: string): Entry | null {
    const upper = this.#inUpper(logical);
    if (upper !== undefined) return { layer: "upper", stats: upper };
    const lower = this.#inLower(logical);
    return lower === undefined ? null : { layer: "lower", stats: lower };
  }

  foreign(logical: string): boolean {
    if (KERNEL.test(logical) && !SHARED_MEMORY.test(logical)) return true;
    return logical === this.#home || logical.startsWith(this.#home + sep) || this.#options.ignore(logical);
  }

  /** Whether what is written there reaches the machine. */
  isDevice(logical: string): boolean {
    return KERNEL.test(logical) && !SHARED_MEMORY.test(logical) && !HARMLESS.test(logical);
  }

  upperOf(logical: string): string {
    return join(this.#tree, logical.replace(/^([A-Za-z]):/, "$1"));
  }

  /** Upper paths in a text, as the program knows them. */
  shown(text: string): string {
    return text.replaceAll(this.#tree + sep, sep);
  }

  errorFixture(kind: ErrorFixture): string {
    return errorFixture(this.folder, kind);
  }

  /** Names in a folder of the program's view, sorted by their bytes as the file system's own listings are. */
  children(logical: string): Map<string, Entry> {
    const names = new Set<string>(
      this.#inUpper(logical)?.isDirectory() === true ? disk.readdirSync(this.upperOf(logical)) : [],
    );
    if (this.#inLower(logical)?.isDirectory() === true) for (const name of disk.readdirSync(logical)) names.add(name);
    const found = new Map<string, Entry>();
    for (const name of [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
      const child = join(logical, name);
      const entry = this.look(child);
      if (entry !== null) found.set(name, entry);
    }
    return found;
  }

  /** What is below `logical` in the original is no longer seen. */
  hide(logical: string): void {
    this.pristine = false;
    this.#hidden.add(logical);
  }

  /** Shows these bytes at a path, in place of what lies there, as if they had been there before the program began. */
  putBack(logical: string, bytes: Uint8Array, permissions?: number): void {
    this.#notice(logical);
    const lower = this.#inLower(logical);
    const parent = this.#folderFor(dirname(logical));
    const upper = this.upperOf(logical);
    keepTimes(parent, () => disk.writeFileSync(upper, bytes));
    if (lower !== undefined) copyAttributes(upper, lower);
    if (permissions !== undefined) disk.chmodSync(upper, permissions);
    this.hide(logical);
  }

  /** The upper folder for a path, which is made where there is none. */
  #folderFor(logical: string): string {
    const upper = this.upperOf(logical);
    if (this.#inUpper(logical)?.isDirectory() === true) return upper;
    if (this.#inLower(logical)?.isDirectory() === true) return this.mirror(logical);
    this.pristine = false;
    const parent = this.#folderFor(dirname(logical));
    keepTimes(parent, () => disk.mkdirSync(upper));
    return upper;
  }

  reveal(logical: string): void {
    this.#hidden.delete(logical);
  }

  isHidden(logical: string): boolean {
    if (this.#hidden.size === 0) return false;
    for (let path = logical; ; path = dirname(path)) {
      if (this.#hidden.has(path)) return true;
      if (path === dirname(path)) return false;
    }
  }

  /** Makes the upper folder for a folder of the program's view. */
  mirror(logical: string): string {
    const upper = this.upperOf(logical);
    if (this.#inUpper(logical) !== undefined) return upper;
    this.pristine = false;
    const parent = dirname(logical);
    const stats = disk.statSync(logical);
    const make = (): void => {
      disk.mkdirSync(upper, { recursive: parent === logical });
      copyAttributes(upper, stats);
    };
    if (parent === logical) make();
    else keepTimes(this.mirror(parent), make);
    return upper;
  }

  /** Makes the upper folder in which an entry is about to be made or removed. Throws if the original would forbid it. */
  claim(logical: string): string {
    const upper = this.mirror(logical);
    const lower = this.#inLower(logical);
    if (lower !== undefined && !this.#opened.has(logical)) disk.accessSync(logical, constants.W_OK | constants.X_OK);
    return upper;
  }

  setsMode(logical: string): void {
    this.#opened.add(logical);
  }

  /** Puts an entry into the upper tree, a folder without its content. Either the copy is whole or there is none. */
  copyUp(logical: string, { stats }: Entry): string {
    if (stats.isDirectory()) return this.mirror(logical);
    const upper = this.upperOf(logical);
    if (this.#inUpper(logical) !== undefined) return upper;
    keepTimes(this.mirror(dirname(logical)), () => {
      const part = join(this.folder, `part-${++this.#parts}`);
      try {
        if (stats.isSymbolicLink()) disk.symlinkSync(disk.readlinkSync(logical), part);
        else if (stats.isFile()) disk.copyFileSync(logical, part, constants.COPYFILE_FICLONE);
        else
          throw Object.assign(new Error(`EPERM: operation not permitted, copyfile '${logical}'`), {
            errno: -1,
            code: "EPERM",
            syscall: "copyfile",
            path: logical,
          });
        copyAttributes(part, stats);
        disk.renameSync(part, upper);
      } catch (error) {
        disk.rmSync(part, { force: true });
        throw error;
      }
    });
    this.hide(logical);
    return upper;
  }

  /** Puts an entry and all that is below it into the upper tree. */
  copyTree(logical: string, entry: Entry): string {
    const upper = this.copyUp(logical, entry);
    if (entry.stats.isDirectory()) {
      for (const [name, child] of this.children(logical)) this.copyTree(join(logical, name), child);
      this.hide(logical);
      copyAttributes(upper, entry.stats);
    }
    return upper;
  }

  #inUpper(logical: string): Stats | undefined {
    return this.pristine ? undefined : disk.lstatSync(this.upperOf(logical), { throwIfNoEntry: false });
  }

  #inLower(logical: string): Stats | undefined {
    return this.isHidden(logical) ? undefined : disk.lstatSync(logical, { throwIfNoEntry: false });
  }
}

/** Gives a copy the mode, the times and, where we may, the owner of its original. */
function copyAttributes(copy: string, stats: Stats): void {
  if (stats.uid !== process.geteuid?.() || stats.gid !== process.getegid?.()) {
    try {
      disk.lchownSync(copy, stats.uid, stats.gid);
    } catch {
      // only root may give files away; the program sees itself as the owner
    }
  }
  // a folder stays open to us: the copies in it could not be reached otherwise
  if (!stats.isSymbolicLink()) disk.chmodSync(copy, (stats.mode & 0o7777) | (stats.isDirectory() ? 0o700 : 0));
  disk.lutimesSync(copy, stats.atimeMs / 1000, stats.mtimeMs / 1000);
}

/** Copying an entry into a folder is no change that the program made to that folder. */
function keepTimes(folder: string, work: () => void): void {
  const stats = disk.statSync(folder);
  work();
  disk.lutimesSync(folder, stats.atimeMs / 1000, stats.mtimeMs / 1000);
}
