import type { Hit } from "../scan/hit.ts";
import type { Area } from "./area.ts";
import { alphabet, DIGITS, isEscapeLetter, isWord, LOWER, runEnd, UPPER } from "./character.ts";
import type { Find } from "./detector.ts";

const LONGEST_LOCAL = 64;
const LONGEST_DOMAIN = 253;
const SHORTEST_DOMAIN = 4;
const LOCAL = alphabet(`${DIGITS}${UPPER}${LOWER}._%+-'`);
const DOMAIN = alphabet(`${DIGITS}${UPPER}${LOWER}.-`);
const RETINA = /^[1-9]x\./;
const LABEL = /^(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,59})$/;
/** Endings of units and of files, none of which is a top-level name. */
const NO_TOP =
  /^(?:service|socket|timer|mount|automount|device|slice|[mc]?jsx?|tsx?|mjs|cjs|s?css|html?|json|ya?ml|xml|jpe?g|png|gif|svg|webp|ico|woff|ttf|vue|php|cpp|lua|txt|log|ini|toml|lock|conf)$/;
/** Those that an address in front of a bracket may have. */
const TOP =
  /^(?:[a-z]{2}|com|org|net|edu|gov|mil|int|info|biz|name|dev|app|email|example|test|invalid|local|internal)$/i;
const BRACKET = 40;

/** Latin letters with accents belong to a local part; other scripts are the prose around it. */
const isAccented = (unit: number): boolean => unit >= 0xc0 && unit <= 0x24f && unit !== 0xd7 && unit !== 0xf7;

/** `local@domain` around the `@` at `at`, unless it ends the user info of a URL. */
export const atSignEmail: Find = (text, at, area) => (at > area.userInfoTo ? email(text, at, 1, area) : null);

/** `local%40domain`, whose `4` stands at `at`. */
export const escapedEmail: Find = (text, at, area) =>
  text.startsWith("%40", at - 1) ? email(text, at - 1, 3, area) : null;

/** An address around the `@` (or `%40`, `width` 3) at `at`; looks no further than an address may reach. */
function email(text: string, at: number, width: number, { from, to }: Area): Hit | null {
  const domainStart = at + width;
  if (domainStart >= to || !(isWord(text.charCodeAt(domainStart)) || isAccented(text.charCodeAt(domainStart))))
    return null;
  const limit = Math.min(to, domainStart + LONGEST_DOMAIN);
  let runTo = runEnd(text, domainStart, limit, DOMAIN);
  while (runTo < limit && isAccented(text.charCodeAt(runTo))) runTo = runEnd(text, runTo + 1, limit, DOMAIN);
  if (runTo - domainStart < SHORTEST_DOMAIN) return null;
  const start = localStart(text, at, from);
  if (start === at) return null;
  const end = domainEnd(text, domainStart, runTo);
  if (end === -1) return null;
  // git@host:path is an address of a repository, and code parses it
  if (at - start === 3 && text.startsWith("git", start)) return null;
  const local = text.slice(start, at);
  const domain = text.slice(domainStart, end);
  if (isProcess(local, domain)) return null;
  return {
    start,
    end,
    type: "EMAIL",
    rule: "email",
    canonical: `${unescaped(local)}@${domain}`.normalize("NFC").toLowerCase(),
  };
}

/** `4711@worker-3.eu.example.com`: a process and its host. A mailbox of digits alone is one of a short domain. */
const PROCESS = /^\d{1,7}$/;
const HOST = /^(?:[^.]*\.){2,}[^.]+$|\.(?:local|internal|lan|localdomain|home|corp|cluster)$/i;
const isProcess = (local: string, domain: string): boolean => PROCESS.test(local) && HOST.test(domain);

function localStart(text: string, at: number, from: number): number {
  const floor = Math.max(from, at - LONGEST_LOCAL);
  let start = at;
  while (start > floor) {
    const unit = text.charCodeAt(start - 1);
    if (unit < 128 ? LOCAL[unit] === 0 : !isAccented(unit)) break;
    start--;
  }
  // a query value: ?email=a%40b.example, where the escape before the address is a delimiter
  const escaped = text.slice(start, at).lastIndexOf("%3D");
  if (escaped !== -1) start += escaped + 3;
  // `\\n` before it, in a string of code
  if (start > from && start + 1 < at && isEscapeLetter(text, start)) start++;
  while (start < at) {
    const unit = text.charCodeAt(start);
    if (isWord(unit) || unit === 95 || unit > 127) break;
    start++;
  }
  return start;
}

/** The longest prefix of the run whose last label can be a top-level name; -1 if there is none. */
function domainEnd(text: string, start: number, runTo: number): number {
  const run = text.slice(start, runTo);
  let end = run.length;
  while (end > 0) {
    while (end > 0 && !isWord(run.charCodeAt(end - 1))) end--;
    const dot = end === 0 ? -1 : run.lastIndexOf(".", end - 1);
    if (dot <= 0) return -1;
    const label = run.slice(dot + 1, end);
    // `q@k.transpose(`: a call
    if (LABEL.test(label) && !NO_TOP.test(label) && (text.charCodeAt(start + end) !== BRACKET || TOP.test(label)))
      return RETINA.test(run) || run.slice(0, end).includes("..") ? -1 : start + end;
    end = dot;
  }
  return -1;
}

function unescaped(local: string): string {
  if (!local.includes("%")) return local;
  try {
    return decodeURIComponent(local);
  } catch {
    return local;
  }
}
