import { storeLayout } from "../config/store-layout.ts";
import { sealersOf } from "./claim.ts";

/** Ids of the other processes that live and seal files of a store's spool. A spool that cannot be read names none. */
export function stillSealing(folder: string): number[] {
  try {
    return sealersOf(storeLayout(folder));
  } catch {
    return [];
  }
}
