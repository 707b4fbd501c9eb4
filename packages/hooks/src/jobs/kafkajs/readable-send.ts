import { textOrBytes } from "@reenact/capture/hook";

/** What a producer sends, with text where its bytes are text. An object that holds itself does so in the copy. */
export function readableSend(given: unknown, known = new Map<object, object>()): unknown {
  if (Buffer.isBuffer(given)) return textOrBytes(given);
  if (typeof given !== "object" || given === null) return given;
  const before = known.get(given);
  if (before !== undefined) return before;
  const copy: object = Array.isArray(given) ? [] : {};
  known.set(given, copy);
  for (const [name, value] of Object.entries(given)) Reflect.set(copy, name, readableSend(value, known));
  return copy;
}
