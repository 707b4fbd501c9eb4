import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Frames } from "@reenact/wire";
import type { Deliver, Pace } from "../../examples/scripted-provider/answer.ts";
import { deliverWhole, pause, writeHead, writePart } from "../../examples/scripted-provider/deliver.ts";
import { drop } from "../../examples/scripted-provider/provider.ts";

/** Closes the connection with a reset before any head. */
export async function reset(response: ServerResponse): Promise<void> {
  response.socket?.resetAndDestroy();
  drop(response);
}

/** Sends a share of the parts, then breaks the connection off. */
export function cutAfter(share: number): Deliver {
  return async (response: ServerResponse, frames: Frames, pace: Pace) => {
    await pause(pace.first);
    writeHead(response, frames);
    const kept = Math.max(1, Math.floor(frames.parts.length * share));
    for (const part of frames.parts.slice(0, kept)) {
      await writePart(response, part);
      await pause(pace.each ?? 5);
    }
    // what was written has time to arrive: a reset would take it back
    await sleep(20);
    drop(response);
  };
}

/** Never answers; the client has to give up. Gives up itself after 30 s. */
export async function hang(response: ServerResponse): Promise<void> {
  await hold(response, 30_000);
  if (!response.destroyed) drop(response);
}

/** Sends the head and the first part, then nothing more. */
export async function stall(response: ServerResponse, frames: Frames): Promise<void> {
  writeHead(response, frames);
  await writePart(response, frames.parts[0] ?? new Uint8Array());
  await hold(response, 30_000);
  if (!response.destroyed) drop(response);
}

async function hold(response: ServerResponse, ms: number): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  await sleep(ms, undefined, { signal: gone.signal, ref: false }).catch(() => undefined);
}

/** The whole body compressed, in three parts that end nowhere in particular. */
export async function gzipped(response: ServerResponse, frames: Frames, pace: Pace): Promise<void> {
  const packed = gzipSync(Buffer.concat(frames.parts));
  const headers = { ...frames.headers, "content-encoding": "gzip" };
  await deliverWhole(response, { ...frames, headers, parts: inParts(packed, 3) }, { each: 2, ...pace });
}

/** The whole body in `count` parts that end in the middle of lines and letters. */
export function ragged(count: number): Deliver {
  return async (response: ServerResponse, frames: Frames, pace: Pace) => {
    const parts = inParts(Buffer.concat(frames.parts), count);
    await deliverWhole(response, { ...frames, parts }, { each: 1, ...pace });
  };
}

/** All parts of a stream in one write. */
export async function burst(response: ServerResponse, frames: Frames, pace: Pace): Promise<void> {
  await deliverWhole(response, { ...frames, parts: [Buffer.concat(frames.parts)] }, pace);
}

/** Head, body and end in one write, with the length of the body. */
export async function atOnce(response: ServerResponse, frames: Frames, pace: Pace): Promise<void> {
  const body = Buffer.concat(frames.parts);
  await pause(pace.first);
  writeHead(response, { ...frames, headers: { ...frames.headers, "content-length": String(body.length) } });
  response.end(body);
}

function inParts(bytes: Buffer, count: number): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / count));
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return parts;
}
