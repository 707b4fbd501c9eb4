import type { Ask } from "../ask.ts";
import type { Format } from "../format.ts";
import { asList, type Json } from "../json.ts";
import { openaiFailure } from "./failure.ts";

/** Eight numbers: seven that follow from the text, then the number at the end of the serial. */
function vector(text: string, serial: string): number[] {
  const sums = [0, 0, 0, 0, 0, 0, 0];
  Array.from(text).forEach((letter, at) => {
    sums[at % 7] = (sums[at % 7] ?? 0) + (letter.codePointAt(0) ?? 0) / 1024;
  });
  return [...sums, Number(/\d{1,6}$/.exec(serial)?.[0] ?? 0)];
}

function embeddingsDocument(ask: Ask): Json {
  const input = ask.body["input"];
  const texts = typeof input === "string" ? [input] : asList(input).map(String);
  const data = texts.map((text, index) => {
    const numbers = vector(text, ask.serial);
    const base64 = Buffer.from(new Float32Array(numbers).buffer).toString("base64");
    return { object: "embedding", index, embedding: ask.body["encoding_format"] === "base64" ? base64 : numbers };
  });
  const tokens = Math.ceil(ask.raw.length / 4);
  return { object: "list", data, model: ask.model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

/** Bytes that are no text, with the serial at their end. */
function speechBytes(ask: Ask): Buffer {
  const noise = Buffer.alloc(6000);
  for (let at = 0; at < noise.length; at += 1) noise[at] = (at * 31 + (at >> 5)) & 0xff;
  return Buffer.concat([Buffer.from("RIFF"), noise, Buffer.from(ask.serial)]);
}

/** Name, purpose and size are read from the form's parts. */
function fileDocument(ask: Ask): Json {
  const form = ask.raw.toString("latin1");
  const boundary = form.slice(0, Math.max(0, form.indexOf("\r\n")));
  const parts = boundary === "" ? [] : form.split(boundary);
  const file = parts.find((part) => part.includes('filename="')) ?? "";
  const content = file.slice(file.indexOf("\r\n\r\n") + 4, -2);
  const purpose = parts
    .find((part) => part.includes('name="purpose"'))
    ?.split("\r\n\r\n")[1]
    ?.trim();
  return {
    id: `file-${ask.serial}`,
    object: "file",
    bytes: content.length,
    created_at: Math.floor(Date.now() / 1000),
    filename: /filename="([^"]*)"/.exec(file)?.[1] ?? null,
    purpose: purpose ?? null,
    status: "processed",
  };
}

export const embeddings: Format = {
  name: "embeddings",
  path: /\/embeddings$/,
  document: embeddingsDocument,
  failure: openaiFailure,
};

export const speech: Format = {
  name: "speech",
  path: /\/audio\/speech$/,
  document: () => null,
  bytes(ask) {
    const bytes = speechBytes(ask);
    return { mime: "audio/wav", parts: [bytes.subarray(0, 2500), bytes.subarray(2500)] };
  },
  failure: openaiFailure,
};

export const files: Format = {
  name: "files",
  path: /\/files$/,
  document: fileDocument,
  failure: openaiFailure,
};
