import { findTokens } from "@reenact/envelope";
import { assignment } from "./detect/assignment.ts";
import { card } from "./detect/card.ts";
import { isDigit } from "./detect/character.ts";
import { email } from "./detect/email.ts";
import { jwt } from "./detect/jwt.ts";
import { type KnownValue, KnownValues } from "./detect/known.ts";
import { privateKey } from "./detect/pem.ts";
import { KEY_ANCHORS, providerKey } from "./detect/provider-key.ts";
import { urlCredentials } from "./detect/url-credentials.ts";
import { type Hit, type RuleType, settle } from "./hit.ts";
import { withoutMedia } from "./media.ts";

const AT = 1;
const DIGIT = 2;
const KEY = 4;
const ASSIGN = 8;
const KNOWN = 16;
const DASH = 32;
const PERCENT = 64;
const JOT = 128;

const DIRECT = 48;
const CHUNK = 32 * 1024;
const chunk = Buffer.allocUnsafeSlow(CHUNK);

/** One leaf while it is scanned. */
interface Area {
  readonly from: number;
  readonly to: number;
  readonly idLike: boolean;
  readonly hits: Hit[];
  /** end of the last key block: its own dashes begin no other */
  pemTo: number;
  /** the `@` behind the last user info */
  userInfoTo: number;
}

export interface ScanOptions {
  /** the leaf stands under a name of ids or times: digit runs in it are no card numbers */
  readonly idLike?: boolean;
}

/** Finds values in one leaf, in one pass; every look around a stop is bounded, so the time is linear. */
export interface Scanner {
  scan(text: string, from: number, to: number, options?: ScanOptions): Hit[];
  /** values to be found exactly, anywhere; returns false if it was known already */
  learn(value: KnownValue): boolean;
}

export function createScanner(isOn: (type: RuleType) => boolean): Scanner {
  const known = new KnownValues();
  const stops = new Uint8Array(256);
  let wideKnown = false;
  const stop = (characters: Iterable<number>, flag: number): void => {
    for (const unit of characters) stops[unit] = (stops[unit] ?? 0) | flag;
  };
  const units = (text: string): number[] => [...text].map((c) => c.charCodeAt(0));
  if (isOn("EMAIL")) stop(units("@"), AT);
  if (isOn("EMAIL")) stop(units("%"), PERCENT);
  if (isOn("CARD")) stop(units("23456"), DIGIT);
  if (isOn("KEY")) stop(KEY_ANCHORS, KEY);
  if (isOn("AUTH")) stop(units("=:"), ASSIGN);
  if (isOn("PEM")) stop(units("-"), DASH);
  if (isOn("JWT")) stop(units("J"), JOT);

  /** Looks around one place where something may stand. */
  function look(text: string, at: number, flags: number, area: Area): void {
    const { from, to, hits } = area;
    if ((flags & KNOWN) !== 0) known.find(text, at, from, to, hits);
    if ((flags & DIGIT) !== 0 && !area.idLike && (at === from || !isDigit(text.charCodeAt(at - 1))))
      push(hits, card(text, at, from, to));
    if ((flags & KEY) !== 0) push(hits, providerKey(text, at, from, to));
    if ((flags & ASSIGN) !== 0) {
      const info = at + 2 < to && text.startsWith("://", at) ? urlCredentials(text, at + 3, to) : null;
      if (info !== null) {
        hits.push(...info.hits);
        area.userInfoTo = info.at;
      } else push(hits, assignment(text, at, from, to));
    }
    if ((flags & AT) !== 0 && at > area.userInfoTo) push(hits, email(text, at, 1, from, to));
    if ((flags & JOT) !== 0 && at - 2 >= from && text.startsWith("ey", at - 2)) push(hits, jwt(text, at - 2, from, to));
    if ((flags & PERCENT) !== 0 && text.startsWith("40", at + 1)) push(hits, email(text, at, 3, from, to));
    if ((flags & DASH) !== 0 && at >= area.pemTo && text.startsWith("-----B", at)) {
      const hit = privateKey(text, at, to);
      push(hits, hit);
      if (hit !== null) area.pemTo = hit.end;
    }
  }

  function scan(text: string, from: number, to: number, options: ScanOptions = {}): Hit[] {
    const area: Area = { from, to, idLike: options.idLike === true, hits: [], pemTo: from, userInfoTo: from - 1 };
    if (to - from <= DIRECT) {
      for (let at = from; at < to; at++) {
        const unit = text.charCodeAt(at);
        const flags = unit < 128 ? (stops[unit] as number) : wideKnown ? KNOWN : 0;
        if (flags !== 0) look(text, at, flags, area);
      }
    } else {
      // bytes are quicker to walk than a string that may be a slice of another; wide characters lose their high
      // byte on the way, so that every stop is looked up again in the text
      for (let start = from; start < to; start += CHUNK) {
        const length = chunk.write(
          to - start > CHUNK ? text.slice(start, start + CHUNK) : text.slice(start, to),
          0,
          "latin1",
        );
        for (let i = 0; i < length; i++) {
          if (stops[chunk[i] as number] === 0) continue;
          const unit = text.charCodeAt(start + i);
          const flags = unit < 128 ? (stops[unit] as number) : wideKnown ? KNOWN : 0;
          if (flags !== 0) look(text, start + i, flags, area);
        }
      }
    }
    if (area.hits.length === 0) return area.hits;
    const leaf = text.slice(from, to);
    return withoutMedia(leaf, from, withoutTokens(leaf, from, settle(area.hits)));
  }

  function learn({ value, type }: KnownValue): boolean {
    const unit = known.add(value, type ?? "SECRET");
    if (unit === null) return false;
    if (unit > 127) wideKnown = true;
    stop([unit & 0xff], KNOWN);
    return true;
  }
  return { scan, learn };
}

function push(hits: Hit[], hit: Hit | null): void {
  if (hit !== null) hits.push(hit);
}

/** Drops what touches a token that stands there already: tokens are never taken apart or tokenised again. */
function withoutTokens(leaf: string, offset: number, hits: Hit[]): Hit[] {
  const tokens = findTokens(leaf);
  if (tokens.length === 0) return hits;
  let next = 0;
  return hits.filter((hit) => {
    while (next < tokens.length && (tokens[next] as { end: number }).end + offset <= hit.start) next++;
    const token = tokens[next];
    return token === undefined || token.start + offset >= hit.end;
  });
}
