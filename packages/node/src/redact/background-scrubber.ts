import { guarded, type ReadTexts, warnOnce, type StepTexts } from "@reenact/capture/recorder";
import type { Beginning, Held, RedactingScrubber, ScrubberOptions } from "@reenact/redaction";
import { type Question, scrubThread } from "./scrub-thread.ts";
import { type OriginalsWanted, type ScrubAnswer, type ScrubRequest, sentText } from "./scrub-work.ts";

export interface BackgroundScrubber extends RedactingScrubber {
  readElsewhere(texts: StepTexts): Promise<ReadTexts | null> | null;
  readsSoon(): boolean;
  scrubElsewhere(text: string): Promise<string | null> | null;
  /** Ends the threads, if there are any. */
  close(): void;
}

/** For fewer texts than this, all of which the agent's thread may read, no thread is started. */
const WORTH_A_THREAD = 3;
/** A question that waits for longer shows that the thread lags behind. Ms. */
const SOON = 25;
/** A shorter text is read again faster than what is known of its beginning is handed over. UTF-16 units. */
const WORTH_HANDING_OVER = 64 * 1024;

/**
 * Has texts read by threads of its own, with the same key, policy and known values: one thread reads steps with long
 * texts, so that the agent's thread never stands still for them; the other one reads steps that the agent waits for, so that
 * none of those stands behind a long text. Each is started by the first text for it; one that dies is replaced. A
 * policy with functions cannot go to another thread: then everything is as without it. Where no thread is to be had, long texts
 * are not read at all. `toKeep`: what a vault keeps, if anything; the threads find it.
 */
export function backgroundScrubber(
  inner: RedactingScrubber,
  options: ScrubberOptions,
  toKeep: () => OriginalsWanted | null = () => null,
): BackgroundScrubber {
  const isHere = hasFunctions(options);
  let isClosed = false;
  let version = 0;
  /** texts that came while there was no thread for short ones */
  let hints = 0;
  let known = options.known ?? [];
  const parts = { options: (): ScrubberOptions => ({ ...options, known }), version: (): number => version };
  const short = scrubThread({ ...parts, name: "reenact-redaction", lost: () => {} });
  const long = scrubThread({
    ...parts,
    name: "reenact-redaction-long",
    lost: () =>
      warnOnce(
        "redaction-thread",
        "redaction has no thread of its own: long texts are left out; the agent keeps running",
      ),
  });

  /** What is known by now belongs to the secrets too. */
  function wanted(): OriginalsWanted | null {
    const found = toKeep();
    return found === null ? null : { ...found, secrets: { ...found.secrets, known } };
  }

  /** What any thread has found in the beginning of a request: the thread that is asked may be another one. */
  function begun(texts: StepTexts): Beginning | null {
    return guarded("redaction", null, () => {
      const request = sentText(texts);
      if (request === null || request[0].length <= WORTH_HANDING_OVER) return null;
      return inner.beginning?.(...request) ?? null;
    });
  }

  function keep(texts: StepTexts, held: Held | null): void {
    guarded("redaction", undefined, () => {
      const request = held === null ? null : sentText(texts);
      if (request !== null && held !== null) inner.hold?.(...request, held);
    });
  }

  return {
    policy: inner.policy,
    rules: inner.rules,
    kid: inner.kid,
    alreadyRedacted: inner.alreadyRedacted,
    unread: (text, hint) => inner.unread(text, hint),
    ...(inner.denies === undefined ? {} : { denies: inner.denies }),
    scrub: (text, hint) => inner.scrub(text, hint),
    ...(inner.tokenOf === undefined ? {} : { tokenOf: inner.tokenOf }),
    addKnown(value, type) {
      inner.addKnown(value, type);
      version++;
      const one = { value, ...(type === undefined ? {} : { type }) };
      known = [...known, { name: "", ...one }];
      for (const thread of [short, long]) thread.tell({ known: one });
    },
    readElsewhere(texts) {
      if (isHere || isClosed) return null;
      const { promise, resolve } = Promise.withResolvers<ReadTexts | null>();
      const request = (id: number): ScrubRequest => ({ id, texts, originals: wanted(), begun: begun(texts) });
      const answer = (given: ScrubAnswer | null): void => {
        if (given === null || "text" in given) return resolve(null);
        keep(texts, given.held);
        resolve(given.read);
      };
      (texts.isLong ? long : short).ask({ request, answer });
      return promise;
    },
    readsSoon() {
      if (isHere || isClosed || short.isLost) return false;
      if (short.isStarted) return short.answersWithin(SOON);
      if (++hints >= WORTH_A_THREAD) short.ask(NOTHING);
      return false;
    },
    scrubElsewhere(text) {
      if (isHere || isClosed) return null;
      const { promise, resolve } = Promise.withResolvers<string | null>();
      const answer = (given: ScrubAnswer | null): void =>
        resolve(given !== null && "text" in given ? given.text : null);
      // what a program prints is asked for only where it is long
      long.ask({ request: (id) => ({ id, text }), answer });
      return promise;
    },
    close() {
      isClosed = true;
      short.close();
      long.close();
    },
  };
}

/** Asked only to hear when the thread works. */
const NOTHING: Question = { request: (id) => ({ id, text: "" }), answer: () => {} };

/** A policy's own detectors. */
function hasFunctions({ policy }: ScrubberOptions): boolean {
  return (policy?.detectors ?? []).length > 0;
}
