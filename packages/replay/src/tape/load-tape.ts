import { readFileSync } from "node:fs";
import { METADATA_ATTRIBUTES } from "@reenact/capture/recorder";
import { ATTR } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import type { VaultPlace } from "@reenact/node/vault";
import { type Tape, tapeOf } from "./tape.ts";
import { withVault } from "./tape-vault.ts";

/** The views for people are no part of a tape. */
const TAPED = [ATTR.kind, ATTR.inputValue, ATTR.outputValue, ...METADATA_ATTRIBUTES];

/**
 * Reads a `.reenact` file as a tape. Errors of the format carry their own names. `vault`: where the originals of the
 * run are looked for; null: they are not wanted.
 */
export function loadTape(path: string, vault?: VaultPlace | null): Tape {
  const tape = tapeOf(readEnvelope(readFileSync(path), { attributes: TAPED }));
  return vault === undefined ? tape : withVault(tape, vault);
}
