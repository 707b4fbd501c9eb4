import type { IncomingHttpHeaders } from "node:http";
import type { AllowList } from "./allow-list.ts";
import type { Identity, Keys } from "./keys.ts";
import type { PendingBytes } from "./pending-bytes.ts";
import type { Quotas } from "./quotas.ts";
import { FULL } from "./read-body.ts";
import { type Refusal, refused } from "./status.ts";

/** Admission of senders, for every transport: decided before a body is read. */
export interface IngestDoor {
  /** Identifies a sender by host name, origin and key. */
  know(headers: IncomingHttpHeaders): Identity | Refusal;
  /** Whether there is room for a request of theirs, which is counted; null: there is. */
  admit(identity: Identity): Refusal | null;
  /** Counts bytes that came of a request. */
  charge(identity: Identity, bytes: number): void;
}

export function createIngestDoor(parts: {
  readonly keys: Keys;
  readonly allowList: AllowList;
  readonly pending: PendingBytes;
  readonly quotas: Quotas;
  /** no more is taken in */
  readonly draining: () => boolean;
}): IngestDoor {
  const { keys, allowList, pending, quotas, draining } = parts;
  return {
    know(headers) {
      const notAllowed = allowList(headers);
      if (notAllowed !== null) return refused("forbidden", notAllowed);
      const admission = keys.admit(headers.authorization, "ingest");
      return admission.is === "known" ? admission.identity : refused(admission.is, admission.message);
    },
    admit(identity) {
      if (draining()) return refused("unavailable", "the collector is ending");
      const full = pending.full(identity.tenant);
      if (full === "all") return refused("unavailable", FULL);
      if (full === "tenant") return refused("tooMany", "too much of this tenant is waiting for the disk");
      const retryAfter = quotas.ask(identity);
      if (retryAfter === null) return null;
      return { ...refused("tooMany", `the quota of the key ${identity.key} is used up`), retryAfter };
    },
    charge: (identity, bytes) => quotas.charge(identity, bytes),
  };
}

export const isRefusal = (known: Identity | Refusal): known is Refusal => "is" in known;
