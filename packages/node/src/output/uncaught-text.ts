import { thrownMessage } from "@reenact/capture/recorder";
import { decodeValue, recordError, type RecordedError } from "@reenact/envelope";

/**
 * What Node prints of an uncaught error, without stacks: name and message, members, and each cause in a line of
 * its own. Of a value that is no error, its JSON.
 */
export function uncaughtText(error: unknown): string {
  const recorded = recordError(error);
  return recorded.class === "" ? (valueText(recorded.raw) ?? thrownMessage(error)) : errorText(recorded);
}

function errorText({ class: name, own, cause, raw, ...shown }: RecordedError): string {
  if (name === "") return valueText(raw) ?? "";
  const members = own === undefined ? "" : ` ${JSON.stringify(own)}`;
  const causes = cause === undefined ? "" : `\n[cause] ${errorText(cause)}`;
  return `${shown.name}: ${shown.message}${members}${causes}`;
}

/** Null: it has no JSON, or is a text that is shown as it is. */
function valueText(raw: RecordedError["raw"]): string | null {
  try {
    if (typeof raw === "string") return raw;
    const isTyped = typeof raw === "object" && raw !== null && "$value" in raw && typeof raw.$value === "string";
    return JSON.stringify(isTyped ? decodeValue(raw.$value as string) : raw) ?? null;
  } catch {
    return null;
  }
}
