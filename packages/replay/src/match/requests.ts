import type { Operation, Scrubber } from "@reenact/capture";
import { type Content, mimeOf, recorder } from "@reenact/capture/recorder";
import type { Tape, RecordedStep } from "../tape/tape.ts";
import { type Asked, isRequest, readAsked, scrubOptions, scrubUrl } from "./asked.ts";
import { type AsRecorded, asRecordedBy } from "./own-secrets.ts";

/** Reads the requests of a replayed run as the recorder has read the recorded ones. */
export class Requests {
  readonly asRecorded: AsRecorded;

  constructor(tape: Tape) {
    this.asRecorded = asRecordedBy(tape);
  }

  get scrubber(): Scrubber {
    const { scrubber } = recorder;
    if (scrubber === null) throw new Error("a replay needs a scrubber: requests are compared as they were recorded");
    return scrubber;
  }

  /** `recorded`: the step with the same slot. A request with the same bytes is not parsed again. */
  read(content: Content, operation: Operation | null, recorded: RecordedStep | null): Asked {
    const { digests, exchange } = recorded?.record ?? {};
    const isSame =
      recorded !== null &&
      digests !== undefined &&
      exchange !== undefined &&
      isRequest(content) &&
      content.body === recorded.input &&
      recorded.input !== null &&
      mimeOf(content.headers) === mimeOf(exchange.request.headers) &&
      this.#hasRulesOfNow(recorded);
    if (!isSame) return readAsked(content, operation, this.scrubber, this.asRecorded);
    const { method, headers, redirect, options } = content;
    const sent = this.asRecorded(content.url);
    const url = sent === exchange.request.url ? sent : scrubUrl(this.scrubber, sent);
    const asked = { method, url, headers, text: recorded.input, digests, redacted: false };
    return {
      ...asked,
      ...(redirect === undefined ? {} : { redirect }),
      ...(options === undefined ? {} : { options: scrubOptions(this.scrubber, options, this.asRecorded) }),
    };
  }

  /** Texts of a step that stand in the record, redacted by the very rules of now: they need not be read again. */
  cleanTexts(step: RecordedStep): { clean?: readonly string[] } {
    if (!this.#hasRulesOfNow(step)) return {};
    return { clean: [step.input, step.output].filter((text) => text !== null) };
  }

  #hasRulesOfNow({ record: { redacted } }: RecordedStep): boolean {
    const { rules, policy } = this.scrubber;
    return redacted?.rules === rules && redacted.policy === policy;
  }
}
