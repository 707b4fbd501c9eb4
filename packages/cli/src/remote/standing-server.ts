import { environment } from "../process/environment.ts";
import { remoteAddress } from "./remote-reference.ts";
import { upAddress } from "./up-address.ts";

/** The collector that stands beside the local store: `REENACT_SERVER`, else the one that `reenact up` runs over it. */
export function standingServer(store: string): string | null {
  const named = environment()["REENACT_SERVER"];
  return named ? (remoteAddress({ server: named }) ?? null) : upAddress(store);
}
