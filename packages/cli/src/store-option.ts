import { Option } from "commander";

/** `--store`, on every command. */
export function storeOption(): Option {
  return new Option("--store <folder>", "folder of the local store").env("REENACT_STORE").default(".reenact");
}
