import type { ScrubHint, Scrubbed, Scrubber } from "@reenact/capture";
import type { ReadTexts, StepTexts } from "@reenact/capture/recorder";
import { originals } from "@reenact/capture/recorder";
import type { AlreadyRedacted, RedactingScrubber } from "@reenact/redaction";
import { redactionPackage } from "../own-code/lazy-packages.ts";

export interface LazyScrubber extends RedactingScrubber {
  /** One line why nothing may be recorded; null: ready. Loads the key at the first call. */
  problem(): string | null;
  prepare(text: string, hint?: ScrubHint): Promise<void> | null;
  readElsewhere(texts: StepTexts): Promise<ReadTexts | null> | null;
  readsSoon(): boolean;
  scrubElsewhere(text: string): Promise<string | null> | null;
  /** A variable of the environment was set: a secret one is a known value from now on. */
  learnVariable(name: string, value: string): void;
  /** Ends what works beside this thread. */
  close(): void;
  /** From now on texts above 64 KiB are scanned only until this time (`performance.now`). */
  until(deadline: number): void;
}

type Loadable = RedactingScrubber &
  Pick<Scrubber, "prepare" | "readElsewhere" | "readsSoon" | "scrubElsewhere"> & { close?(): void };

/** At exit a text above this may be left unscanned; smaller ones, and with them the root, are always done. */
const LARGE = 64 * 1024;

/**
 * Stands in until the first run starts: neither key nor store is touched before. Without a key every text is
 * `UNSCANNED_<length>`, and nothing is spooled.
 */
export function lazyScrubber(load: () => Loadable | { error: string }): LazyScrubber {
  let loaded: Loadable | { error: string } | null = null;
  let deadline = Infinity;
  let version = 0;
  const early: [string, string | undefined][] = [];

  function ready(): Loadable | null {
    if (loaded === null) {
      try {
        loaded = load();
      } catch (error) {
        loaded = { error: `redaction could not be loaded: ${error instanceof Error ? error.message : String(error)}` };
      }
      if ("scrub" in loaded) for (const [value, type] of early) loaded.addKnown(value, type);
      early.length = 0;
    }
    return "scrub" in loaded ? loaded : null;
  }

  function addKnown(value: string, type?: string): void {
    version++;
    if (loaded === null) early.push([value, type]);
    else ready()?.addKnown(value, type);
  }

  return {
    get policy() {
      return ready()?.policy ?? "none";
    },
    get rules() {
      return ready()?.rules ?? "none";
    },
    get kid() {
      return ready()?.kid ?? "none";
    },
    get alreadyRedacted() {
      return ready()?.alreadyRedacted ?? NOTHING_REDACTED;
    },
    scrub(text: string, hint?: ScrubHint): Scrubbed {
      const scrubber = ready();
      if (scrubber === null || (text.length > LARGE && originals.performanceNow() > deadline)) return unscanned(text);
      return scrubber.scrub(text, hint);
    },
    tokenOf: (type, value) => ready()?.tokenOf?.(type, value) ?? "",
    get version() {
      return ready()?.answersLater === true ? undefined : version;
    },
    addKnown,
    learnVariable(name, value) {
      // what is set before is read when the scrubber is loaded
      if (loaded === null || "error" in loaded) return;
      for (const known of redactionPackage().knownFromEnvironment({ [name]: value })) addKnown(known.value, known.type);
    },
    get answersLater() {
      return ready()?.answersLater === true;
    },
    unread: (text, hint) => ready()?.unread(text, hint) ?? 0,
    denies: (path) => ready()?.denies?.(path) === true,
    prepare: (text, hint) => ready()?.prepare?.(text, hint) ?? null,
    // who exits starts no thread
    readElsewhere: (texts) => (deadline === Infinity ? (ready()?.readElsewhere?.(texts) ?? null) : null),
    readsSoon: () => deadline === Infinity && ready()?.readsSoon?.() === true,
    scrubElsewhere: (text) => (deadline === Infinity ? (ready()?.scrubElsewhere?.(text) ?? null) : null),
    close() {
      if (loaded !== null && "close" in loaded) loaded.close();
    },
    problem() {
      ready();
      return loaded !== null && "error" in loaded ? loaded.error : null;
    },
    until(time: number): void {
      deadline = time;
    },
  };
}

const NOTHING_REDACTED: AlreadyRedacted = { has: (text) => text === "", add: () => {}, watch: () => {} };

function unscanned(text: string): Scrubbed {
  const mark = `UNSCANNED_${text.length}`;
  return { text: mark, edits: [{ start: 0, end: text.length, with: mark }], counts: { UNSCANNED: 1 } };
}
