import { randomBytes } from "node:crypto";
import type { JournalFiles } from "./journal-files.ts";
import { segmentHead, type SegmentIdentity } from "./record.ts";
import { segmentPath } from "./segment-name.ts";

/** The segment that is written to. After an error the file ends where it ended before, or a new segment is begun. */
export class SegmentWriter {
  id: SegmentIdentity;
  /** durable bytes */
  end = 0;
  private readonly folder: string;
  private readonly files: JournalFiles;
  private fd: number | null = null;

  /** `last`: the highest number that any segment here has had. */
  constructor(folder: string, files: JournalFiles, last: number) {
    this.folder = folder;
    this.files = files;
    this.id = { segment: last, salt: 0 };
  }

  /** Begins the next segment; its name and head are on disk when it returns. */
  next(): void {
    this.finish();
    const id = { segment: this.id.segment + 1, salt: randomBytes(4).readUInt32LE() };
    // a number is never used twice, also where this fails
    this.id = id;
    const path = segmentPath(this.folder, id.segment);
    const fd = this.files.create(path);
    try {
      const head = segmentHead(id, Date.now());
      this.files.write(fd, [head], 0);
      this.files.sync(fd);
      this.files.syncFolder(this.folder);
      this.end = head.length;
      this.fd = fd;
    } catch (error) {
      this.files.close(fd);
      // a disk that stays full must not fill with empty files
      this.files.remove(path);
      throw error;
    }
  }

  get open(): boolean {
    return this.fd !== null;
  }

  /** All or nothing: on disk when it returns. */
  append(pieces: readonly Uint8Array[], length: number): void {
    const fd = this.fd;
    if (fd === null) throw new Error("no segment is open");
    let written = false;
    try {
      this.files.write(fd, pieces, this.end);
      written = true;
      this.files.sync(fd);
      this.end += length;
    } catch (error) {
      this.undo(fd, written);
      throw error;
    }
  }

  /** Closes the segment; all of it is durable already. */
  finish(): void {
    const fd = this.fd;
    this.fd = null;
    if (fd !== null) this.files.close(fd);
  }

  /** After a failed sync nobody knows what the kernel still holds: such a file is never written to again. */
  private undo(fd: number, written: boolean): void {
    let clean = false;
    try {
      this.files.truncate(fd, this.end);
      clean = !written;
    } catch {
      // what is left behind the end is never read by this process, and was never acknowledged
    }
    if (clean) return;
    try {
      this.finish();
    } catch {
      this.fd = null;
    }
  }
}
