import { type CallDifference, type NotServed, type Served, textDifference } from "@reenact/replay";
import { oneLine } from "@reenact/view";

/** One request to the endpoint, and what became of it. */
export interface ServedCall {
  /** from 1, in the order in which they came */
  readonly n: number;
  /** `POST /v1/chat/completions` */
  readonly request: string;
  readonly answer: Served | NotServed;
}

const SHOWN = 160;

/** Why a request was refused, in one line. `run`: how a command names the run. */
export function refusalOf({ n, request, answer }: ServedCall & { answer: NotServed }, run: string): string {
  const { why, operation, closest, differences } = answer;
  const call = `call ${String(n)}, ${operation ?? request}`;
  if (why === "unknown" || closest === null)
    return operation === null
      ? `${call}, is no call of a model that is known. Next: reenact show ${run}`
      : `the recorded run has no ${operation} (${call}). Next: reenact show ${run}`;
  const at = `step ${String(closest.step)} (${closest.name})`;
  const show = `Next: reenact show ${run} --step ${String(closest.step)}`;
  if (why === "exhausted")
    return `${call}, was made more often than recorded: ${at} was the last one like it. ${show}; to begin anew, start reenact serve again`;
  const [first] = differences;
  const where = first === undefined ? "" : `; first difference: ${differenceInWords(first)}`;
  return `the recorded run has no call like ${call}: closest is ${at}${where}. ${show}`;
}

/** A difference in words: `/messages/1/content: recorded "in May", now "in June"`. */
export function differenceInWords({ of, pointer, recorded, now }: CallDifference): string {
  const at = oneLine(pointer, SHOWN);
  const place = of === null ? at || "the body" : of === "header" ? `header ${at.slice(1)}` : `its ${of}`;
  const both =
    typeof recorded === "string" && typeof now === "string" && recorded.length + now.length > SHOWN
      ? textDifference(recorded, now)
      : { recorded, now };
  return `${place}: recorded ${inWords(both.recorded)}, now ${inWords(both.now)}`;
}

function inWords(value: unknown): string {
  return value === undefined || value === null ? "nothing" : oneLine(JSON.stringify(value) ?? "", SHOWN);
}
