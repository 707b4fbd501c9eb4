import { epochNow } from "@reenact/capture";
import { join } from "node:path";
import type { StoreLayout } from "../store-layout.ts";
import { originalFs } from "./original-fs.ts";

const MOST = 1024 ** 3;
const SHARE_OF_DISK = 0.05;
/** A run that has begun may go this far above the limit before its payloads are left out too. */
const GRACE = 1.25;

/** How much may be recorded: min(1 GiB, 5 % of the free disk) in the spool, and a rate where one is set. */
export class SpoolLimit {
  readonly #most: number;
  readonly #before: number;
  readonly #perMinute: number | null;
  #minute = 0;
  #inMinute = 0;

  /** Reads the disk; the spool folder must be there. */
  constructor(layout: StoreLayout, maxMbPerMin: number | null) {
    const disk = originalFs.statfsSync(layout.spool);
    this.#most = Math.min(MOST, disk.bavail * disk.bsize * SHARE_OF_DISK);
    this.#before = originalFs
      .readdirSync(layout.spool)
      .reduce(
        (sum, name) => sum + (originalFs.statSync(join(layout.spool, name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
    this.#perMinute = maxMbPerMin === null ? null : maxMbPerMin * 1e6;
  }

  /** Why no new run may begin; null: it may. */
  refusesRun(written: number): string | null {
    if (this.#before + written >= this.#most) return `the spool holds ${Math.round(this.#most / 1e6)} MB already`;
    if (this.#perMinute !== null && this.#rate() >= this.#perMinute) return "REENACT_MAX_MB_PER_MIN is reached";
    return null;
  }

  /** Whether a payload of a run that has begun is too much. */
  refusesPayload(written: number, bytes: number): boolean {
    return this.#before + written + bytes >= this.#most * GRACE;
  }

  count(bytes: number): void {
    this.#rate();
    this.#inMinute += bytes;
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
