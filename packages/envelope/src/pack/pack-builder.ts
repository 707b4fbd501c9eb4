import { EnvelopeError } from "../envelope-error.ts";
import type { EnvelopeHeader, Manifest, RetentionClass } from "../schema/manifest.ts";
import { packFooter } from "./pack-footer.ts";
import type { PackEntry, PackIndex, PackReceipt } from "./pack-index.ts";
import { packKey, packName } from "./pack-name.ts";

export interface FinishedPack {
  readonly key: string;
  readonly name: string;
  readonly index: PackIndex;
  /** comes behind the last envelope */
  readonly footer: Uint8Array;
}

/** Notes what is put into a pack; the bytes are the caller's to write, one envelope behind the other. */
export class PackBuilder {
  readonly place: { readonly class: RetentionClass; readonly tenant: string; readonly day: string };
  private readonly entries: PackEntry[] = [];
  private readonly taken = new Set<string>();
  private length = 0;

  constructor(place: { class: RetentionClass; tenant: string; day: string }) {
    this.place = place;
  }

  /** Bytes of envelopes so far. */
  get bytes(): number {
    return this.length;
  }

  get runs(): readonly PackEntry[] {
    return this.entries;
  }

  has(run: string, revision: number): boolean {
    return this.taken.has(`${run} ${revision}`);
  }

  /** Throws `BAD_HEADER` for an envelope of another class, or a run and revision that is there. */
  add(envelope: {
    header: EnvelopeHeader;
    manifest: Manifest;
    length: number;
    receipt: PackReceipt;
    flags?: readonly string[];
  }): PackEntry {
    const { header, manifest, length, receipt } = envelope;
    if (header.class !== this.place.class)
      throw new EnvelopeError(
        "BAD_HEADER",
        "pack",
        `an envelope of class ${header.class} in one of ${this.place.class}`,
      );
    if (this.has(header.run, header.revision))
      throw new EnvelopeError("BAD_HEADER", "pack", `run ${header.run} revision ${header.revision} twice`);
    const entry: PackEntry = {
      run: header.run,
      revision: header.revision,
      offset: this.length,
      length,
      raw: header.spans.raw,
      content: header.content,
      started: manifest.started,
      status: header.status,
      flags: [...new Set([...manifest.flags, ...(envelope.flags ?? [])])],
      name: manifest.name,
      ...(manifest.session !== undefined && { session: manifest.session }),
      ...(manifest.instance !== undefined && { instance: manifest.instance }),
      receipt,
    };
    this.taken.add(`${header.run} ${header.revision}`);
    this.entries.push(entry);
    this.length += length;
    return entry;
  }

  /** `copy`: see `packName`. */
  finish(copy?: string): FinishedPack {
    const name = packName(this.entries, copy);
    const index: PackIndex = { v: 1, ...this.place, runs: [...this.entries] };
    return { key: packKey({ ...this.place, name }), name, index, footer: packFooter(index) };
  }
}
