import fs from "node:fs";

/** Every effect that the journal's worker has on the disk. Tests wrap it: to fail, to lie, to die. All calls block. */
export interface JournalFiles {
  makeFolder(path: string): void;
  list(path: string): string[];
  read(path: string): Uint8Array;
  size(path: string): number;
  /** for writing; fails if it is there */
  create(path: string): number;
  /** of a file that is there, for writing */
  open(path: string): number;
  /** all pieces, one after another, from `offset` on */
  write(fd: number, pieces: readonly Uint8Array[], offset: number): void;
  truncate(fd: number, length: number): void;
  /** data and length are on disk when it returns */
  sync(fd: number): void;
  /** names in the folder are on disk when it returns */
  syncFolder(path: string): void;
  close(fd: number): void;
  remove(path: string): void;
  /** bytes that this process may still write on the disk of `path` */
  free(path: string): number;
}

export const diskFiles: JournalFiles = {
  makeFolder: (path) => void fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
  list: (path) => fs.readdirSync(path),
  read: (path) => fs.readFileSync(path),
  size: (path) => fs.statSync(path).size,
  create: (path) => fs.openSync(path, "wx", 0o600),
  open: (path) => fs.openSync(path, "r+"),
  write: writeAll,
  truncate: (fd, length) => fs.ftruncateSync(fd, length),
  sync: (fd) => fs.fdatasyncSync(fd),
  syncFolder: (path) => {
    const fd = fs.openSync(path, "r");
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
  close: (fd) => fs.closeSync(fd),
  remove: (path) => fs.unlinkSync(path),
  free: (path) => {
    const { bavail, bsize } = fs.statfsSync(path);
    return bavail * bsize;
  },
};

/** A disk may take less than it was given. */
function writeAll(fd: number, pieces: readonly Uint8Array[], offset: number): void {
  let left = pieces.filter((piece) => piece.length > 0);
  for (let at = offset; left.length > 0;) {
    let taken = left.length === 1 ? fs.writeSync(fd, left[0]!, 0, left[0]!.length, at) : fs.writevSync(fd, left, at);
    at += taken;
    let whole = 0;
    while (whole < left.length && taken >= left[whole]!.length) taken -= left[whole++]!.length;
    left = left.slice(whole);
    if (taken > 0) left[0] = left[0]!.subarray(taken);
  }
}
