import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createScanner } from "./scan.ts";

const scanner = createScanner(() => true);
scanner.learn({ name: "K", value: "zebra-crossing-77" });

/** Characters that were asked for or copied, and expressions that were run, each counted as so many characters. */
let work = 0;
const EXPRESSION = 24;
const { charCodeAt, slice, startsWith } = String.prototype;
// the originals are called through these, so that nothing is counted twice
const call = Function.prototype.call;
const asked = call.bind(charCodeAt) as (text: string, at: number) => number;
const cut = call.bind(slice) as (text: string, from?: number, to?: number) => string;
const begins = call.bind(startsWith) as (text: string, part: string, at?: number) => boolean;
const { test: matches, exec } = RegExp.prototype;
const matching = call.bind(matches) as (expression: RegExp, text: string) => boolean;
const executed = call.bind(exec) as (expression: RegExp, text: string) => RegExpExecArray | null;
afterAll(counting(false));

/** The work of a scan, for each character of the text. */
function workOf(text: string): number {
  const stop = counting(true);
  work = 0;
  try {
    scanner.scan(text, 0, text.length);
  } finally {
    stop();
  }
  return work / text.length;
}

function counting(on: boolean): () => void {
  const restore = (): void => void Object.assign(String.prototype, { charCodeAt, slice, startsWith });
  const undo = (): void => {
    restore();
    Object.assign(RegExp.prototype, { test: matches, exec });
  };
  if (!on) return undo;
  Object.assign(String.prototype, {
    charCodeAt(this: string, at: number) {
      work++;
      return asked(this, at);
    },
    slice(this: string, from?: number, to?: number) {
      const part = cut(this, from, to);
      work += part.length;
      return part;
    },
    startsWith(this: string, part: string, at?: number) {
      work++;
      return begins(this, part, at);
    },
  });
  Object.assign(RegExp.prototype, {
    test(this: RegExp, text: string) {
      // it calls `exec`, which counts
      return matching(this, text);
    },
    exec(this: RegExp, text: string) {
      work += EXPRESSION;
      return executed(this, text);
    },
  });
  return undo;
}

const PIECES =
  'a A 1 12 123 1234 12345678 0 00 + - . / : = @ _ ( ) [ { " \' \\ % & , ; | # $ \n é ü １ \u200b eyJ sk- ghp_ AKIA -----BEGIN :// %40 %3D token password= pass phone ssn tax id iban DE89 GB card 4111 Main Street Calle rue born Jan of the curl -u Bearer Authorization Basic zebra-cross passw is wallet 0x bc1 :: </ --api-key mysql -p curl -b $2b$ ke token is API_KEY "password", Cookie: a=1; \\x22 \\u001b[1m \u001b[0m @1.2.3.4 | Private-Lines mnemonic thin:a/ %B </token>'.split(
    " ",
  );
const unit = fc.array(fc.constantFrom(...PIECES, " "), { minLength: 1, maxLength: 7 }).map((parts) => parts.join(""));
const filled = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length));
/** Texts of look-alikes are read up to three times, and short ones again beside their tokens. Prose takes five to ten. */
const MOST = 500;

test("the work for a character has a bound, whatever is repeated: the worst of a search", () => {
  let worst = { text: "a", work: 0 };
  const judge = (text: string): void => {
    const own = workOf(filled(text, 1024));
    if (own > worst.work) worst = { text, work: own };
  };
  fc.assert(
    fc.property(unit, (text) => judge(text)),
    { numRuns: 120 },
  );
  // from the worst one on: a piece more, a piece less, another piece
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...PIECES, " ", ""), fc.nat(3), (where, piece, less) => {
      const at = where % (worst.text.length + 1);
      const next = worst.text.slice(0, at) + piece + worst.text.slice(at + less);
      if (next !== "") judge(next);
    }),
    { numRuns: 250 },
  );
  expect(worst.work, JSON.stringify(worst)).toBeLessThan(MOST);
  // and it does not grow with the text
  const long = workOf(filled(worst.text, 64 * 1024));
  expect(long, JSON.stringify(worst)).toBeLessThan(worst.work * 1.5 + 2);
});

test.each([
  "00\u200b-u１1.bc13.ssnB4.é.token",
  "Ba-c--ssnp_sk-i１70xan",
  "%@1.2.3.4/[1mcurl -b",
  "mysql -pé\u200b:",
  "Cookie:gekeyJmysql-[１API=@KEYkenkenpassword=_KEY\u001b[0m$'",
  "\u200b(01",
  "(0123 ",
  "4821 is ",
  "PIN 4821 ",
  "-.DE89",
  "password=:１is -１\u200bBa</to1ken>@N",
])("texts that took more stay below it: %j", (text) => {
  expect(workOf(filled(text, 1024))).toBeLessThan(MOST);
});

test("options of programs that are not there take no more in a longer text", () => {
  expect(workOf(filled("\n-b\u200b", 64 * 1024))).toBeLessThan(workOf(filled("\n-b\u200b", 1024)) * 1.5 + 2);
});

test.each(["the order was shipped on Monday, and 3 items are late. ", '{"id":17,"note":"so it is"} '])(
  "prose and JSON take little: %j",
  (text) => {
    expect(workOf(filled(text, 4096))).toBeLessThan(20);
  },
);
