import { epochNow } from "@reenact/capture/recorder";
import { join } from "node:path";
import type { StoreLayout } from "../config/store-layout.ts";
import { originalFs } from "./original-fs.ts";

const MOST = 1024 ** 3;
const SHARE_OF_DISK = 0.05;
/** A run that has begun may go this far above the limit before its payloads are left out too. */
const GRACE = 1.25;

/** Bytes that a spool may hold: min(1 GiB, 5 % of the free disk). Throws where the folder is not there. */
export function spoolRoom(layout: StoreLayout): number {
  const disk = originalFs.statfsSync(layout.spool);
  return Math.min(MOST, disk.bavail * disk.bsize * SHARE_OF_DISK);
}

/** Bytes of all that is in a spool. Throws where the folder is not there. */
export function spoolHolds({ spool }: StoreLayout): number {
  const sizeOf = (name: string): number => originalFs.statSync(join(spool, name), { throwIfNoEntry: false })?.size ?? 0;
  return originalFs.readdirSync(spool).reduce((sum, name) => sum + sizeOf(name), 0);
}

/** How much may be recorded: min(1 GiB, 5 % of the free disk) in the spool, and a rate where one is set. */
export class SpoolLimit {
  readonly #most: number;
  readonly #layout: StoreLayout;
  /** what all files held when they were last looked at, and how much this process had written then */
  #held: number;
  #then = 0;
  #looked = epochNow();
  readonly #perMinute: number | null;
  #minute = 0;
  #inMinute = 0;

  /** Reads the disk; the spool folder must be there. */
  constructor(layout: StoreLayout, maxMbPerMin: number | null) {
    this.#most = spoolRoom(layout);
    this.#layout = layout;
    this.#held = spoolHolds(this.#layout);
    this.#perMinute = maxMbPerMin === null ? null : maxMbPerMin * 1e6;
  }

  /** Why no new run may begin; null: it may. */
  refusesRun(written: number): string | null {
    if (this.#isFull(written, this.#most)) return `the spool holds ${Math.round(this.#most / 1e6)} MB already`;
    if (this.#perMinute !== null && this.#rate() >= this.#perMinute) return "REENACT_MAX_MB_PER_MIN is reached";
    return null;
  }

  /** Whether a payload of a run that has begun is too much. */
  refusesPayload(written: number, bytes: number): boolean {
    return this.#isFull(written + bytes, this.#most * GRACE);
  }

  count(bytes: number): void {
    this.#rate();
    this.#inMinute += bytes;
  }

  /** Files go while this process lives: when it seems full, they are looked at again, at most once a second. */
  #isFull(written: number, most: number): boolean {
    if (this.#held + written - this.#then < most) return false;
    if (epochNow() - this.#looked < 1000) return true;
    this.#looked = epochNow();
    this.#held = spoolHolds(this.#layout);
    this.#then = written;
    return this.#held >= most;
  }

  #rate(): number {
    const minute = Math.floor(epochNow() / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#inMinute = 0;
    }
    return this.#inMinute;
  }
}
