import type { Hit } from "../hit.ts";
import { isSecretName } from "../secret-name.ts";

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

/** How common ASCII characters are in prose and JSON; what is not listed is rare. */
const COMMON_CHARACTERS = ' eaotinsrhldcumpfgwybvk",:.0-1_T/2S{}';

/** Known values, found by the one character of each that is rarest in prose. */
export class KnownValues {
  readonly #byAnchor = new Map<number, { value: string; at: number; type: string }[]>();
  readonly #values = new Set<string>();

  get size(): number {
    return this.#values.size;
  }

  has(value: string): boolean {
    return this.#values.has(value);
  }

  /** Returns the code unit that a scan has to stop at for it; null if the value was known. */
  add(value: string, type: string): number | null {
    if (this.#values.has(value)) return null;
    this.#values.add(value);
    let best = 0;
    let bestRarity = -1;
    for (let at = 0; at < value.length; at++) {
      const commonness = COMMON_CHARACTERS.indexOf(value[at] as string);
      const rarity = commonness === -1 ? COMMON_CHARACTERS.length : commonness;
      if (rarity > bestRarity) [best, bestRarity] = [at, rarity];
    }
    const unit = value.charCodeAt(best);
    this.#byAnchor.set(unit, [...(this.#byAnchor.get(unit) ?? []), { value, at: best, type }]);
    return unit;
  }

  /** Adds the known values whose anchor stands at `at`. */
  find(text: string, at: number, from: number, to: number, hits: Hit[]): void {
    for (const known of this.#byAnchor.get(text.charCodeAt(at)) ?? []) {
      const start = at - known.at;
      const end = start + known.value.length;
      if (start >= from && end <= to && text.startsWith(known.value, start))
        hits.push({ start, end, type: known.type });
    }
  }
}
