import { expect, test } from "vitest";
import { createScrubber } from "./scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
const scrubbed = (text: string): string =>
  scrubber.scrub(text, text.startsWith("{") ? { mime: "application/json" } : {}).text;

test.each([
  // what a tool prints behind an address
  ["ping 2001:db8::8a2e:370:7334: 64 bytes", "2001:db8::8a2e:370:7334"],
  ["fe80::774:4047:c23:d1e1: host is up", "fe80::774:4047:c23:d1e1"],
  // a space around the slash behind the area code
  ["phone: 089 / 8532572", "089 / 8532572"],
  ["Tel. 0711 / 2304213, bitte", "0711 / 2304213"],
  // words and particles of other languages
  ["Zadzwoń: 22 211 29 42", "22 211 29 42"],
  ["Llámame al 91 436 55 79", "91 436 55 79"],
  ["Chiamami al 345 2765425", "345 2765425"],
  ["Tlf. 27 20 21 97", "27 20 21 97"],
  ["Zavolejte na 600 101 856", "600 101 856"],
  ["Ligue para 911 941 626", "911 941 626"],
  ["Cel: 11 7987-6723", "11 7987-6723"],
  ["请打电话 13902787611", "13902787611"],
  ["我的电话是 13902787611", "13902787611"],
  ["제 전화번호는 02-312-4567", "02-312-4567"],
  ['{"phoneNumbers":"8540 4786"}', "8540 4786"],
  // the noun first, whose it is behind it
  ['{"cnpj_empresa":"97650337570527"}', "97650337570527"],
  ['{"pesel_klienta":"44051401359"}', "44051401359"],
  ["ת.ז. 238925036", "238925036"],
  ["fnr 01010750160", "01010750160"],
  ["Kt. 130387-2339", "130387-2339"],
  ['{"ת.ז.":"327787297"}', "327787297"],
  // one in thirty has no digit
  ["retry with AKIARBCWWPOTMKOXVYLN now", "AKIARBCWWPOTMKOXVYLN"],
  // the name is a line of its own
  ["db_password:\n    value: kB7AinoqQ4cDhGBgpcAi\n", "kB7AinoqQ4cDhGBgpcAi"],
  ["  adminPassword:\n      value: 'hunter22-Xy'\n", "hunter22-Xy"],
  // set by a command, without a sign
  [
    "aws configure set aws_secret_access_key wJalrXUtnFEMI8K7MDENGbPxRfiCYzKEYabcdef",
    "wJalrXUtnFEMI8K7MDENGbPxRfiCYzKEYabcdef",
  ],
  ["npm config set auth_token 0ba69fa3c9043d75f49eb55a7113d502", "0ba69fa3c9043d75f49eb55a7113d502"],
])("%j is found", (text, value) => {
  expect(scrubbed(text)).not.toContain(value);
});

test("what is left of a word at the edge of what is looked at announces nothing", () => {
  for (const word of ["parcel", "hotel", "ordering"])
    for (let more = 36; more < 45; more++) {
      const text = `the ${word} and ${"o".repeat(more)} 50468 1258 then`;
      expect(scrubbed(text), text).toBe(text);
    }
});

test.each([
  'class="sk-9ucnf-button-primary-large"',
  "AKIAAAAABBBBAAAABBBB",
  "at 12:30:45: started",
  "a::b: c",
  "std::map<K, V>: 12",
  "we saw 100 / 200000 rows",
  "the ratio was 15 / 1000000",
  "gsm 900 1800 1900 MHz",
  "set token expiry to 3600",
  "set the key 3 times",
  "secret:\n  value: prod\n",
  "token:\n  value: string\n",
  '{"cpf_count":"12345678901"}',
  '{"ein_wert":"123456789"}',
  '{"telefon_typ":"mobil"}',
  '{"phone_type_numbers":"12"}',
])("%j stays", (text) => {
  expect(scrubbed(text)).toBe(text);
});
