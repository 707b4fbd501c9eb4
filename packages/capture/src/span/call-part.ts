import { decodeValue } from "@reenact/envelope";
import type { Part } from "./draft.ts";
import { scrubText, Tally } from "../redact/scrub-exchange.ts";
import { type BothForms, hiddenInBoth, mayRename } from "../redact/scrub-renamed.ts";
import { scrubTyped } from "../redact/scrub-typed.ts";
import { scrubYields } from "../redact/scrub-yields.ts";
import { plainJson } from "../redact/plain-json.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import { guarded } from "../fault/faults.ts";
import type { CallDraft } from "./step-content.ts";
import { copiedJson, type TypedText, typedOf } from "./value-snapshot.ts";

/** A value in both forms, redacted as one. */
function bothForms(name: string, text: string, json: string | null, scrubber: Scrubber, tally: Tally): BothForms {
  const { text: people, places } = shown(json, scrubber);
  const typed = scrubCall(scrubber, text, tally.in("call", name), places);
  return hiddenInBoth({ typed: text, json }, { typed, json: people });
}

/** The typed arguments of a call that goes on, or of a run. */
export function argsOf(call: CallDraft, scrubber: Scrubber, tally: Tally): string {
  const { args, input } = callTexts({ ...call, result: null });
  return bothForms("args", args, mayRename(args) ? input : null, scrubber, tally).typed;
}

/** The typed text of one value that a generator has yielded, redacted alone. */
export function yieldOf(call: CallDraft, at: number, scrubber: Scrubber): string {
  const text = call.yields?.[at] as string;
  return bothForms("yields", text, call.renamed?.yields?.get(at) ?? null, scrubber, new Tally()).typed;
}

const NOTHING_ELSE = {
  result: null,
  error: null,
  sync: false,
  same: null,
  yields: null,
  generator: null,
  output: null,
};

/** What a run was called with, or came to, as a call to be read elsewhere. */
export const rootCall = (args: TypedText, json: string | null = null): CallDraft => ({
  ...NOTHING_ELSE,
  args,
  input: json,
});

/** The redacted typed encoding of it. */
export function valueOfRoot(
  value: TypedText,
  json: string | null | undefined,
  scrubber: Scrubber,
  tally: Tally,
): string {
  return argsOf(rootCall(value, json), scrubber, tally);
}

export function callPart(draft: CallDraft | null, scrubber: Scrubber, tally: Tally): Part {
  const part = { request: null, answer: null, input: null, output: null };
  if (draft === null) return { ...part, record: {} };
  const c = callTexts(draft);
  const typed = (name: string, text: string, places?: Tally["places"]): string =>
    scrubCall(scrubber, text, tally.in("call", name), places);
  const both = (name: string, text: string, json: string | null): BothForms =>
    bothForms(name, text, json, scrubber, tally);
  const hidden = (text: string, redacted: string, json: string | undefined): string =>
    json === undefined
      ? redacted
      : hiddenInBoth({ typed: text, json }, { typed: redacted, json: shown(json, scrubber).text }).typed;
  const args = both("args", c.args, c.input);
  const result = c.result === null ? null : both("result", c.result, c.output ?? c.renamed?.result ?? null);
  const call = {
    args: args.typed,
    ...(result === null ? {} : { result: result.typed }),
    ...(c.error === null ? {} : { error: hidden(c.error, typed("error", c.error), c.renamed?.error) }),
    ...(c.sync ? { sync: true } : {}),
    ...(c.same === null ? {} : { same: c.same }),
    ...(c.yields === null
      ? {}
      : {
          yields: scrubYields(c.yields, (each) => typed("yields", each), scrubber, tally).map((text, n) =>
            hidden(c.yields?.[n] ?? text, text, c.renamed?.yields?.get(n)),
          ),
        }),
    ...(c.generator === null ? {} : { generator: c.generator }),
  };
  return {
    ...part,
    record: { call },
    input: args.json,
    output: c.served === true && c.generator === null ? servedJson(result) : shownResult(c.output, result, scrubber),
  };
}

/** A generator's result is not shown. */
function shownResult(output: string | null, result: BothForms | null, scrubber: Scrubber): string | null {
  return result === null || output === null ? shown(output, scrubber).text : result.json;
}

function servedJson(result: BothForms | null): string | null {
  return result === null ? null : guarded("served", null, () => plainJson(decodeValue(result.typed), result.typed));
}

/** A value of a call as JSON, for people: it is counted as the value itself, but its places are those that say something. */
function shown(text: string | null, scrubber: Scrubber): { text: string | null; places: Tally["places"] } {
  const tally = new Tally();
  if (text !== null) text = scrubText(scrubber, text, tally, { mime: "application/json" });
  return { text, places: tally.places };
}

/** Numbers of nodes in a typed encoding are no places: `places` are those of the same value as JSON, if there are any. */
function scrubCall(scrubber: Scrubber, text: string, tally: Tally, places: Tally["places"] = []): string {
  const own = new Tally();
  const out = scrubTyped(scrubber, text, own);
  tally.add(own.counts, places.length > 0 ? places : own.places.map((place) => ({ ...place, at: "" })));
  return out;
}

/** A recorded function call, all values encoded. */
interface CallTexts extends CallDraft {
  args: string;
  result: string | null;
}

/** Encodes the values that were copied. Takes hundreds of milliseconds for some megabytes of small objects. */
function callTexts(call: CallDraft): CallTexts {
  const { args, result } = call;
  return {
    ...call,
    args: typedOf(args),
    result: result === null ? null : typedOf(result),
    input: typeof args === "string" ? call.input : copiedJson(args, "arguments"),
    output: result === null || typeof result === "string" ? call.output : copiedJson(result, "value"),
  };
}
