import fs from "node:fs";

/** Taken before any patch, so that our own calls are not counted. */
const { lstatSync, readFileSync } = fs;

/** `replace`: the bytes that were there do not matter · `append` · `modify`: in place · `permissions`: these alone */
export type WriteKind = "replace" | "append" | "modify" | "permissions";

/**
 * What decides the permissions of a path: the umask and the mode that the program asked for · the file that it is a copy
 * of, or that was moved here · a call of `chmod`
 */
export type PermissionsFrom = "umask" | "source" | "chmod";

const PERMISSIONS = 0o7777;

/** Permission bits, as `chmod` takes them; undefined where the system has none. */
export function permissionsOf({ mode }: { mode: number }): number | undefined {
  return process.platform === "win32" ? undefined : mode & PERMISSIONS;
}

/** What was at a path before the run's first write there. */
export interface FileBefore {
  readonly kind: "absent" | "file" | "folder" | "other";
  readonly bytes: number;
  /** see `permissionsOf` */
  readonly permissions?: number | undefined;
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
  permissionsFrom: PermissionsFrom | null;
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
  permissionsFrom: Exclude<PermissionsFrom, "source"> | null;
  /** path of the file that is copied, linked or moved here */
  source?: string | null;
}

const MOST_FILES = 1000;
const MOST_SCOPES = 20;
/** Files that are looked at before and after a child. */
const MOST_MARKED = 200;
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

  wrote(write: FileWrite): void {
    const { path, kind, scope } = write;
    const writer = writers.get(path);
    if (writer !== undefined && writer !== this.#number) writers.set(path, SEVERAL);
    let file = this.#files.get(path);
    if (file === undefined) {
      if (this.#files.size >= MOST_FILES) {
        this.dropped++;
        return;
      }
      file = this.#first(write);
      this.#files.set(path, file);
      if (writer === undefined && writers.size < MOST_WRITERS) writers.set(path, this.#number);
    }
    if (file.scopes.size < MOST_SCOPES) file.scopes.add(scope);
    file.kind = together(file.kind, kind);
    if (kind === "modify" && file.kind === "modify") file.depends = true;
    file.isTree ||= write.isTree;
    this.#setPermissions(file, write);
  }

  #first({ path, kind, isTree, wasRead, goes }: FileWrite): WrittenFile {
    const depends = kind === "modify" || wasRead;
    const before = this.#look(path, depends || goes || kind === "append" || kind === "permissions");
    return { path, before, kind, isTree, depends, permissionsFrom: null, scopes: new Set() };
  }

  #setPermissions(file: WrittenFile, { permissionsFrom, source }: FileWrite): void {
    if (typeof source === "string") file.permissionsFrom = this.#files.get(source)?.permissionsFrom ?? "source";
    else if (permissionsFrom === "chmod") file.permissionsFrom = "chmod";
    else file.permissionsFrom ??= permissionsFrom;
  }

  /** Whether another run of the process has written the path too. */
  isShared(path: string): boolean {
    return writers.get(path) === SEVERAL;
  }

  /** How the files are now, by their paths: the last ones that were written first. */
  marks(): ReadonlyMap<string, string> {
    return new Map([...this.#files.keys()].slice(-MOST_MARKED).map((path) => [path, this.#mark(path)]));
  }

  /** Counts files that have changed since as written in this scope. */
  changedSince(marks: ReadonlyMap<string, string>, scope: number): void {
    for (const [path, mark] of marks) if (this.#mark(path) !== mark) this.#files.get(path)?.scopes.add(scope);
  }

  #mark(path: string): string {
    const stats = lstatSync(this.#realPath(path), { throwIfNoEntry: false, bigint: true });
    return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.mode}`;
  }

  list(): WrittenFile[] {
    return [...this.#files.values()];
  }

  #look(path: string, keeps: boolean): FileBefore {
    try {
      const real = this.#realPath(path);
      const stats = lstatSync(real);
      const permissions = permissionsOf(stats);
      if (!stats.isFile())
        return { kind: stats.isDirectory() ? "folder" : "other", bytes: 0, content: null, permissions };
      const kept = keeps && stats.size <= KEPT && this.#kept + stats.size <= KEPT_IN_ALL;
      if (kept) this.#kept += stats.size;
      return { kind: "file", bytes: stats.size, content: kept ? readFileSync(real) : null, permissions };
    } catch {
      return { kind: "absent", bytes: 0, content: null };
    }
  }
}

/** What two writes of one path come to. */
function together(before: WriteKind, now: WriteKind): WriteKind {
  if (before === "permissions" || now === "permissions") return before === "permissions" ? now : before;
  return before !== "replace" && now !== "append" ? now : before;
}
