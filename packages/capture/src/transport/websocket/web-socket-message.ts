import { textOrBytes } from "../../hook/text-or-bytes.ts";
import { encodeFrame, OPCODE } from "./frame-reader.ts";

/**
 * What one side of a WebSocket sends, as a record has it: a text, the value of one that is JSON as `JSON.stringify` writes it,
 * bytes, a control frame, or (`raw`) bytes that are no message, after which nothing is read any more.
 */
export type WebSocketMessage =
  | string
  | { readonly json: unknown }
  | { readonly binary: Uint8Array }
  | { readonly ping: string | Uint8Array }
  | { readonly pong: string | Uint8Array }
  | { readonly close: number | null; readonly reason: string }
  | { readonly raw: Uint8Array };

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Longer texts are not read as JSON on the agent's path. */
const READABLE = 1024 * 1024;

/** Throws where the payload is none that the opcode allows. */
export function messageOf(opcode: number, payload: Buffer): WebSocketMessage {
  switch (opcode) {
    case OPCODE.text:
      return textMessage(strict.decode(payload));
    case OPCODE.binary:
      return { binary: new Uint8Array(payload) };
    case OPCODE.ping:
      return { ping: textOrBytes(payload) };
    case OPCODE.pong:
      return { pong: textOrBytes(payload) };
    default:
      return payload.length === 0
        ? { close: null, reason: "" }
        : { close: payload.readUInt16BE(0), reason: strict.decode(payload.subarray(2)) };
  }
}

/** By its members a message of JSON is redacted and compared; its exact text is the record where `JSON` would write another. */
function textMessage(text: string): WebSocketMessage {
  if (text.length > READABLE || !/^[[{]/.test(text) || text.includes('"__proto__"')) return text;
  try {
    const json: unknown = JSON.parse(text);
    return JSON.stringify(json) === text ? { json } : text;
  } catch {
    return text;
  }
}

/** The bytes with which a server sends it. */
export function bytesOfMessage(message: WebSocketMessage): Buffer {
  if (typeof message === "string") return encodeFrame(OPCODE.text, Buffer.from(message, "utf8"));
  if ("json" in message) return encodeFrame(OPCODE.text, Buffer.from(JSON.stringify(message.json), "utf8"));
  if ("binary" in message) return encodeFrame(OPCODE.binary, message.binary);
  if ("ping" in message) return control(OPCODE.ping, Buffer.from(message.ping as Uint8Array));
  if ("pong" in message) return control(OPCODE.pong, Buffer.from(message.pong as Uint8Array));
  if ("raw" in message) return Buffer.from(message.raw);
  if (message.close === null) return control(OPCODE.close, Buffer.alloc(0));
  const code = Buffer.alloc(2);
  code.writeUInt16BE(message.close);
  return control(OPCODE.close, Buffer.concat([code, Buffer.from(message.reason, "utf8")]));
}

/** What stands for a redacted value may be longer than such a frame can be. */
function control(opcode: number, payload: Buffer): Buffer {
  return encodeFrame(opcode, payload.subarray(0, 125));
}
