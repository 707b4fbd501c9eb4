import { resolve } from "node:path";
import { environment } from "../process/environment.ts";
import type { RemoteOptions } from "./remote-options.ts";
import { shellWords } from "../render/shell-words.ts";

/** The options, a blank ahead, with which a further command finds the same runs; empty where it finds them without. */
export function placeOptions({
  store,
  server,
  from,
  s3Endpoint,
}: Omit<RemoteOptions, "token"> & { store: string }): string {
  const { REENACT_STORE, REENACT_COLLECTOR_S3_ENDPOINT } = environment();
  const words = [
    ...(resolve(store) === resolve(REENACT_STORE || ".reenact") ? [] : ["--store", store]),
    ...(server === undefined ? [] : ["--server", server]),
    ...(from === undefined ? [] : ["--from", from]),
    ...(s3Endpoint === undefined || s3Endpoint === REENACT_COLLECTOR_S3_ENDPOINT ? [] : ["--s3-endpoint", s3Endpoint]),
  ];
  return words.length === 0 ? "" : ` ${shellWords(words)}`;
}
