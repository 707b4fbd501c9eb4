/** Prefixes of the ids that model providers mint; reviewed as data. */
const MINTED_PREFIXES = [
  "call_",
  "toolu_",
  "srvtoolu_",
  "msg_",
  "resp_",
  "chatcmpl-",
  "cmpl-",
  "req_",
  "run_",
  "step_",
  "fc_",
  "rs_",
  "item_",
  "ws_",
  "fs_",
  "ci_",
  "ig_",
  "mcp_",
  "mcpl_",
  "mcpr_",
  "ctc_",
  "cu_",
  "gen-",
];

const MINTED = new RegExp(
  `(?<![A-Za-z0-9_-])(?:${MINTED_PREFIXES.join("|")})(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{20,128}(?![A-Za-z0-9_-])`,
  "g",
);

/**
 * Aligns ids that a live step of this replay has minted with the recorded ones, one to one over the run. Used only
 * after a step went live: otherwise every such id comes from the record, and is compared as it stands.
 */
export class MintedIds {
  readonly #toNow = new Map<string, string>();
  readonly #toRecorded = new Map<string, string>();

  /** ids that were compared by place */
  get size(): number {
    let count = 0;
    for (const [recorded, now] of this.#toNow) if (recorded !== now) count++;
    return count;
  }

  /** These ids stand for themselves. */
  keep(text: string): void {
    for (const id of text.match(MINTED) ?? []) {
      if (this.#toNow.has(id)) continue;
      this.#toNow.set(id, id);
      this.#toRecorded.set(id, id);
    }
  }

  /** Whether the texts are equal but for such ids; keeps their pairs if they are. */
  align(recorded: string, now: string): boolean {
    const was = recorded.match(MINTED) ?? [];
    const is = now.match(MINTED) ?? [];
    if (was.length === 0 || was.length !== is.length) return false;
    if (recorded.replace(MINTED, "\u0001") !== now.replace(MINTED, "\u0001")) return false;
    const pairs = was.map((id, n): [string, string] => [id, is[n] ?? ""]);
    const toNow = new Map(this.#toNow);
    const toRecorded = new Map(this.#toRecorded);
    for (const [a, b] of pairs) {
      if ((toNow.get(a) ?? b) !== b || (toRecorded.get(b) ?? a) !== a) return false;
      toNow.set(a, b);
      toRecorded.set(b, a);
    }
    for (const [a, b] of pairs) {
      this.#toNow.set(a, b);
      this.#toRecorded.set(b, a);
    }
    return true;
  }
}
