import { decodeValue, type StepRecord } from "@reenact/envelope";
import { type Fields, isFields } from "../json/json-value.ts";

/** What a child process printed and how it ended, as text; null: the step is none, or nothing has come. */
export function childOutput({ op, call }: Pick<StepRecord, "op" | "call">): string | null {
  if (!op.startsWith("process:") || call?.yields === undefined) return null;
  const events = call.yields.map(eventOf);
  const printed = (name: string): string =>
    events.map((event) => (typeof event[name] === "string" ? event[name] : "")).join("");
  const [out, error] = [printed("stdout"), printed("stderr")];
  const end = events.map(endOf).find((each) => each !== null);
  const parts = [out, error === "" ? "" : `stderr: ${error}`, end ?? ""];
  const text = parts
    .map((part) => part.replace(/\n$/, ""))
    .filter((part) => part !== "")
    .join("\n");
  return text === "" ? null : text;
}

function eventOf(typed: string): Fields {
  try {
    const event = decodeValue(typed);
    return isFields(event) ? event : {};
  } catch {
    return {};
  }
}

/** Null: it ended well, or this event does not tell. */
function endOf({ exit, signal }: Fields): string | null {
  if (typeof signal === "string") return `ended by ${signal}`;
  return typeof exit === "number" && exit !== 0 ? `exit code ${exit}` : null;
}
