import { giveBack } from "./give-back.ts";
import type { Intake } from "./intake.ts";
import type { PendingBytes } from "./pending-bytes.ts";
import type { Outcome } from "./status.ts";
import type { PackedBody } from "./unpack-body.ts";
import type { Unpacker } from "./unpacker.ts";

const NOTHING = new Uint8Array();

/** Unpacks a body, in a worker where that takes long, and takes it in. Rejects with what the unpacker says. */
export type UnpackAndTake = (tenant: string, packed: PackedBody) => Promise<Outcome>;

export function createUnpackAndTake(parts: {
  readonly intake: Intake;
  readonly pending: PendingBytes;
  readonly unpacker: Unpacker;
}): UnpackAndTake {
  const { intake, pending, unpacker } = parts;
  return async (tenant, packed) => {
    let unpacked: Uint8Array = NOTHING;
    // its own length is 0 once it was moved to the journal
    let counted = 0;
    try {
      const body = await unpacker.unpack(packed);
      unpacked = body.bytes;
      counted = unpacked.length;
      pending.add(tenant, counted);
      return withRejected(await intake.take(tenant, [body.bytes], body.crc), body.rejected, body.why);
    } finally {
      pending.add(tenant, -counted);
      // a decompressor is given room for one byte more than it needs
      giveBack(unpacked, 1);
    }
  };
}

function withRejected(outcome: Outcome, rejected: number, why: string): Outcome {
  if (outcome.is !== "accepted" || rejected === 0) return outcome;
  return { ...outcome, rejected: outcome.rejected + rejected, message: outcome.message || `not kept: ${why}` };
}
