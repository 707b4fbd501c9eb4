import type { Hit } from "../../scan/hit.ts";
import { isSsn } from "./announced.ts";
import type { Area } from "../area.ts";
import { cardNumber, isPayment, mayBeCard } from "./card.ts";
import { lettersAndDigits } from "../character.ts";
import { CUE } from "../cue.ts";
import { cueOf, isAnnouncedAs, isBehindDigits, mayEndAt, phrase } from "./current-phrase.ts";
import { isDottedMac, isIpv4, isVersion, macHit, namesHost } from "./ip-address.ts";
import { passesLuhn } from "./luhn.ts";
import type { Family } from "../national/family.ts";
import { ruleOfFamily } from "../national/family-rules.ts";
import { vatFamily } from "../national/vat-families.ts";
import { isOfFamily } from "../national/national-id.ts";
import { numberShapes, type Shape } from "./number-shapes.ts";
import { isNorthAmerican } from "./phone.ts";
import { endOf, kindOf, SEPARATOR } from "./phrase.ts";

const PLUS = 43;
/** the longest shapes first: group and node of each end */
const endGroups = new Int32Array(16);
const endNodes = new Int32Array(16);

/** Numbers of a fixed form, the longest that holds. */
export function shapedNumber(text: string, i: number, start: number, area: Area): Hit | null {
  const tree = numberShapes();
  let found = 0;
  for (let j = i, node = 0; j < phrase.count; j++) {
    node = tree.step(node, phrase, j, j === i);
    if (node === -1) break;
    if (mayEndAt(text, j, area.to) && tree.leavesOf(node).length > 0) {
      endGroups[found] = j;
      endNodes[found++] = node;
    }
  }
  while (--found >= 0) {
    const end = endOf(phrase, endGroups[found] ?? i);
    for (const shape of tree.leavesOf(endNodes[found] ?? 0)) {
      const hit = asShape(shape, i, start, end, text, area);
      if (hit !== null) return hit;
    }
  }
  return address(text, i, start, area);
}

/** An IPv4 address that begins with group `i`. */
export function address(text: string, i: number, start: number, area: Area): Hit | null {
  const last = i + 3;
  for (let j = i + 1; j <= last; j++) if (j >= phrase.count || phrase.separators[j] !== SEPARATOR.point) return null;
  const end = endOf(phrase, last);
  if (
    end - start > 15 ||
    !(mayEndAt(text, last, area.to) || isBeforePath(text, start, last)) ||
    !isIpv4(text.slice(start, end))
  )
    return null;
  if (isVersion(text, start, area.from) || isAnnouncedAs(CUE.version, text, area)) return null;
  return { start, end, type: "IP", rule: "ip.v4" };
}

/** `//10.1.2.3/…`, `10.1.2.3/index`; what `10.0.0.0/8` names is a network. */
function isBeforePath(text: string, start: number, j: number): boolean {
  if (j + 1 >= phrase.count || phrase.separators[j + 1] !== SEPARATOR.slash) return false;
  if (kindOf(phrase, j + 1) > 2 || text.startsWith("//", start - 2)) return true;
  return namesHost(text.slice(start, phrase.ends[j]), text.slice(phrase.starts[j + 1], phrase.ends[j + 1]));
}

/** The number of one form in `text[start, end)`; null: it does not hold. `i`: its first group. */
function asShape(shape: Shape, i: number, start: number, end: number, text: string, area: Area): Hit | null {
  switch (shape.is) {
    case "card":
      return cardAt(text, start, end, shape.length, area);
    case "ssn": {
      const canonical = lettersAndDigits(text.slice(start, end));
      return isSsn(canonical, false) ? { start, end, type: "SSN", rule: "ssn", canonical } : null;
    }
    case "phone":
      return northAmericanPhone(text, i, start, end, area);
    case "plan":
      return plannedPhone(text, i, start, end, shape.plan, area);
    case "mac": {
      const written = text.slice(start, end);
      return isDottedMac(written) ? macHit(written, start, end) : null;
    }
    case "vat":
      return nationalId(text, start, end, vatFamily(text.slice(start, end)));
    case "family":
      return nationalId(text, start, end, shape.family);
  }
}

function cardAt(text: string, start: number, end: number, length: number, area: Area): Hit | null {
  if (!mayBeCard(text, start, length) || !passesLuhn(text, start, end)) return null;
  const canonical = lettersAndDigits(text.slice(start, end));
  return isCard(text, start, end, canonical, area) ? { start, end, type: "CARD", rule: "card", canonical } : null;
}

/** A number of a country's plan for telephones. */
function plannedPhone(text: string, i: number, start: number, end: number, plan: RegExp, area: Area): Hit | null {
  const canonical = lettersAndDigits(text.slice(start, end));
  if (!plan.test(canonical) || text.charCodeAt(start - 1) === PLUS || isBehindDigits(i)) return null;
  return isAnnouncedAs(CUE.version, text, area)
    ? null
    : { start, end, type: "PHONE", rule: "phone.national", canonical };
}

function nationalId(text: string, start: number, end: number, family: Family | undefined): Hit | null {
  const written = text.slice(start, end);
  if (family === undefined || !isOfFamily(family, written)) return null;
  const canonical = lettersAndDigits(written).toUpperCase();
  return { start, end, type: "NATIONAL_ID", rule: ruleOfFamily(family.id), canonical };
}

/** Whether a number that passes Luhn is one of a card: what is announced as another number passes by chance. */
function isCard(text: string, start: number, end: number, digits: string, area: Area): boolean {
  const kind = cardNumber(digits, digits.length < end - start);
  if (kind === null) return false;
  const announcedKinds = cueOf(text, area).kinds & (CUE.national | CUE.card);
  return kind === "plain" ? announcedKinds !== CUE.national : isAnnouncedCard(announcedKinds, text, start, end, digits);
}

/** A number of the North American plan: unusual ones, and ones behind other digits, need to be announced. */
function northAmericanPhone(text: string, i: number, start: number, end: number, area: Area): Hit | null {
  const written = text.slice(start, end);
  const digits = lettersAndDigits(written);
  const local = digits.length === 11 && digits.startsWith("1") ? digits.slice(1) : digits;
  if (text.charCodeAt(start - 1) === PLUS || !/^[2-9]\d{9}$/.test(local)) return null;
  const isDoubtful =
    (written.includes(" ") && isBehindDigits(i)) || (!isNorthAmerican(local) && !written.includes("-"));
  if (isDoubtful && !isAnnouncedAs(CUE.phone, text, area)) return null;
  if (isAnnouncedAs(CUE.version, text, area)) return null;
  return { start, end, type: "PHONE", rule: "phone.national", canonical: `+1${local}` };
}

const isAnnouncedCard = (announcedKinds: number, text: string, start: number, end: number, digits: string): boolean =>
  (announcedKinds & CUE.card) !== 0 ||
  (announcedKinds === 0 && digits.length >= SHORTEST_CARD && isPayment(text, start, end, digits));
const SHORTEST_CARD = 14;
