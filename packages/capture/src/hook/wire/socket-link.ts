import type { Socket } from "node:net";
import type { WireLink } from "./wire-driver.ts";

/** A socket that is being connected. `connects`: the event that says that it is */
export function socketLink(stream: Socket, connects: string): WireLink {
  let failure: Error | null = null;
  let isClosed = false;
  const tells: ((error: Error | null) => void)[] = [];
  stream.on("error", (error: Error) => (failure ??= error));
  stream.once("close", () => {
    isClosed = true;
    for (const tell of tells.splice(0)) tell(failure);
  });
  const connected = new Promise<void>((resolve, reject) => {
    stream.once(connects, () => resolve());
    stream.once("close", () => reject(failure ?? new Error("the connection was closed before it was made")));
  });
  // who opens it may be gone by then
  connected.catch(() => {});
  return {
    stream,
    connected,
    onClose(tell) {
      if (isClosed) tell(failure);
      else tells.push(tell);
    },
  };
}
