import fs from "node:fs";

/** Taken before any patch, so that our own look counts as nobody's. */
const { lstatSync, readFileSync } = fs;

/** `replace`: the bytes that were there do not matter · `append` · `modify`: in place */
export type WriteKind = "replace" | "append" | "modify";

/** What was at a path before the run's first write there. */
export interface FileBefore {
  readonly kind: "absent" | "file" | "folder" | "other";
  readonly bytes: number;
  /** null: the file is too large, or the program cannot have seen its content, neither here nor where it was moved to */
  readonly content: Uint8Array | null;
}

export interface WrittenFile {
  /** absolute */
  readonly path: string;
  readonly before: FileBefore;
  /** what all writes together come to */
  kind: WriteKind;
  /** all that is below the path was written with it */
  isTree: boolean;
  /** whether the new content may depend on the former */
  depends: boolean;
  /** tool steps in whose bodies it was written; -1: outside */
  readonly scopes: Set<number>;
}

export interface FileWrite {
  path: string;
  kind: WriteKind;
  isTree: boolean;
  scope: number;
  /** whether the run has read the path before */
  wasRead: boolean;
  /** the path is removed, or moved elsewhere */
  goes: boolean;
}

const MOST_FILES = 1000;
const MOST_SCOPES = 20;
/** Bytes of a former content that are kept, of one file and of all. */
const KEPT = 256 * 1024;
const KEPT_IN_ALL = 1024 * 1024;

/** Number of the run that wrote a path, or SEVERAL. Numbers, so that no ended run is kept in memory. Bounded. */
const writers = new Map<string, number>();
const MOST_WRITERS = 5000;
const SEVERAL = -1;
let runs = 0;

/** Files that a run wrote, made, moved or removed. Bounded; looks at a path once, before its first write. */
export class WrittenFiles {
  readonly #files = new Map<string, WrittenFile>();
  readonly #number = runs++;
  readonly #realPath: (path: string) => string;
  #kept = 0;
  /** real operations that have begun and not ended */
  underWay = 0;
  /** paths left out because there were too many */
  dropped = 0;

  /** `realPath`: where the bytes of a file are */
  constructor(realPath: (path: string) => string) {
    this.#realPath = realPath;
  }

  wrote({ path, kind, isTree, scope, wasRead, goes }: FileWrite): void {
    const writer = writers.get(path);
    if (writer !== undefined && writer !== this.#number) writers.set(path, SEVERAL);
    let file = this.#files.get(path);
    if (file === undefined) {
      if (this.#files.size >= MOST_FILES) {
        this.dropped++;
        return;
      }
      const depends = kind === "modify" || wasRead;
      const before = this.#look(path, depends || goes || kind === "append");
      file = { path, before, kind, isTree, depends, scopes: new Set() };
      this.#files.set(path, file);
      if (writer === undefined && writers.size < MOST_WRITERS) writers.set(path, this.#number);
    }
    if (file.scopes.size < MOST_SCOPES) file.scopes.add(scope);
    if (file.kind !== "replace" && kind !== "append") file.kind = kind;
    if (kind === "modify" && file.kind === "modify") file.depends = true;
    file.isTree ||= isTree;
  }

  /** Whether another run of the process has written the path too. */
  isShared(path: string): boolean {
    return writers.get(path) === SEVERAL;
  }

  list(): WrittenFile[] {
    return [...this.#files.values()];
  }

  #look(path: string, keeps: boolean): FileBefore {
    try {
      const real = this.#realPath(path);
      const stats = lstatSync(real);
      if (!stats.isFile()) return { kind: stats.isDirectory() ? "folder" : "other", bytes: 0, content: null };
      const kept = keeps && stats.size <= KEPT && this.#kept + stats.size <= KEPT_IN_ALL;
      if (kept) this.#kept += stats.size;
      return { kind: "file", bytes: stats.size, content: kept ? readFileSync(real) : null };
    } catch {
      return { kind: "absent", bytes: 0, content: null };
    }
  }
}
