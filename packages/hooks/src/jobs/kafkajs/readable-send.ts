import { textOrBytes } from "@reenact/capture/hook";

/** What a producer sends, with text where its bytes are text. */
export function readableSend(given: unknown): unknown {
  if (Buffer.isBuffer(given)) return textOrBytes(given);
  if (Array.isArray(given)) return given.map(readableSend);
  if (typeof given !== "object" || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, readableSend(value)]));
}
