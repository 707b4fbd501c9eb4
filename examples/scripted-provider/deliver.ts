import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Frames } from "@reenact/wire";
import type { Pace } from "./answer.ts";

export async function pause(ms: number | undefined): Promise<void> {
  if (ms !== undefined && ms > 0) await sleep(ms);
}

export function writeHead(response: ServerResponse, frames: Frames): void {
  if (frames.reason === undefined) response.writeHead(frames.status, { ...frames.headers });
  else response.writeHead(frames.status, frames.reason, { ...frames.headers });
}

/** Writes one part and waits until it has left, so that each part is a packet of its own where it can be. */
export async function writePart(response: ServerResponse, part: Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.write(part, () => {
      response.off("close", resolve);
      resolve();
    });
  });
}

/** Writes all, at the given pace; stops when the client has gone. */
export async function deliverWhole(response: ServerResponse, frames: Frames, pace: Pace): Promise<void> {
  await pause(pace.first);
  if (response.destroyed) return;
  writeHead(response, frames);
  for (const [at, part] of frames.parts.entries()) {
    if (at > 0) await pause(pace.each);
    if (response.destroyed) return;
    await writePart(response, part);
  }
  response.end();
}
