/** The body of a record that is too large for the topic. */
export interface StagedBody {
  /** SHA-256, 64 hex digits */
  readonly digest: string;
  readonly length: number;
}

/** What stands in the headers of a record, in the order in which they are written. */
export interface RecordHeaders {
  readonly tenant: string;
  readonly kind: number;
  /** milliseconds since 1970 */
  readonly receivedAt: number;
  /** the value is empty, and the body is an object of the store; null: it is the value */
  readonly staged: StagedBody | null;
}

const NAMES = {
  tenant: "tenant",
  kind: "kind",
  receivedAt: "received",
  digest: "staged-sha256",
  length: "staged-bytes",
} as const;

/** The last that a date can have. */
const LAST_TIME = 8.64e15;

export function writeHeaders({ tenant, kind, receivedAt, staged }: RecordHeaders): Map<Buffer, Buffer> {
  const texts: (readonly [string, string])[] = [
    [NAMES.tenant, tenant],
    [NAMES.kind, String(kind)],
    [NAMES.receivedAt, String(receivedAt)],
    ...(staged === null
      ? []
      : [[NAMES.digest, staged.digest] as const, [NAMES.length, String(staged.length)] as const]),
  ];
  return new Map(texts.map(([name, value]) => [Buffer.from(name), Buffer.from(value)]));
}

/** null: it is no record of a collector. */
export function readHeaders(headers: readonly (readonly [Buffer | null, Buffer | null])[]): RecordHeaders | null {
  const texts = new Map(headers.map(([name, value]) => [String(name), String(value)]));
  const tenant = texts.get(NAMES.tenant);
  const [kind, receivedAt] = [Number(texts.get(NAMES.kind)), Number(texts.get(NAMES.receivedAt))];
  const isRecord = Number.isInteger(kind) && kind >= 1 && kind <= 65_535 && receivedAt >= 0 && receivedAt <= LAST_TIME;
  if (tenant === undefined || Buffer.byteLength(tenant) > 255 || !isRecord) return null;
  const digest = texts.get(NAMES.digest);
  if (digest === undefined) return { tenant, kind, receivedAt, staged: null };
  const length = Number(texts.get(NAMES.length));
  if (!/^[0-9a-f]{64}$/.test(digest) || !Number.isSafeInteger(length)) return null;
  return { tenant, kind, receivedAt, staged: { digest, length } };
}
