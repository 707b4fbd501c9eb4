import type { RequestListener } from "node:http";
import { CollectorError } from "../collector-error.ts";
import { portOwner } from "./port-owner.ts";
import { listen, type Listening, type ListenOptions } from "../receive/listen.ts";

/** `listen`, with words for what may be wrong: a busy port names its owner. Throws `CollectorError`. */
export async function openPort(options: ListenOptions, handle: RequestListener): Promise<Listening> {
  try {
    return await listen(options, handle);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const where = `${options.host}:${options.port}`;
    if (code === "EADDRINUSE") {
      const owner = portOwner(options.port) ?? "another program";
      const next = "stop it, or choose another port (--port, listen.port; 0 takes a free one)";
      throw new CollectorError("PORT_BUSY", `${where} is in use by ${owner}`, next, { cause });
    }
    throw new CollectorError(
      "BAD_CONFIG",
      `cannot listen on ${where}: ${message}`,
      "correct listen.host and listen.port",
      {
        cause,
      },
    );
  }
}
