import type { Hit } from "../../scan/hit.ts";
import { isSecretName } from "../../names/secret-name.ts";
import { pairAt, rarestPair } from "../rarity.ts";

/** A value that is secret because the process says so. */
export interface KnownValue {
  /** where it came from, for people; never sent */
  readonly name: string;
  readonly value: string;
  readonly type?: string;
}

const SHORTEST_OF_ENVIRONMENT = 8;
const COMMON = new Set([
  "password",
  "changeme",
  "change-me",
  "production",
  "development",
  "undefined",
  "localhost",
  "disabled",
  "required",
  "optional",
  "internal",
  "external",
  "anonymous",
  "username",
  "administrator",
  "default",
  "placeholder",
  "redacted",
  "testtest",
  "testing1",
  "dummy-key",
  "not-needed",
  "no-key-needed",
  "your-api-key",
  "your_api_key",
  "12345678",
  "123456789",
  "00000000",
  "11111111",
  "enabled1",
  "example1",
]);

/** Values of environment variables with secret names: 8 characters or more, no common word, no path of a file. */
export function knownFromEnvironment(env: Readonly<Record<string, string | undefined>>): KnownValue[] {
  const out: KnownValue[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.length < SHORTEST_OF_ENVIRONMENT || !isSecretName(name)) continue;
    if (COMMON.has(value.toLowerCase()) || /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)/.test(value) || new Set(value).size < 3)
      continue;
    out.push({ name, value });
  }
  return out;
}

/** Known values, found by the pair of characters of each that is rarest in prose. */
export class KnownValues {
  readonly #byPair = new Map<number, { value: string; at: number; type: string }[]>();
  readonly #values = new Set<string>();

  /** Returns the pairs that a scan has to stop at for it; null if the value was known. */
  add(value: string, type: string): readonly number[] | null {
    if (this.#values.has(value)) return null;
    this.#values.add(value);
    const at = rarestPair(value);
    const pair = pairAt(value, at);
    this.#byPair.set(pair, [...(this.#byPair.get(pair) ?? []), { value, at, type }]);
    return [pair];
  }

  /** Adds the known values whose pair ends at `at`. */
  find(text: string, at: number, from: number, to: number, hits: Hit[]): void {
    for (const known of this.#byPair.get(pairAt(text, at)) ?? []) {
      const start = at - known.at;
      const end = start + known.value.length;
      if (start >= from && end <= to && text.startsWith(known.value, start))
        hits.push({ start, end, type: known.type, rule: "known" });
    }
  }
}
