import { describe, expect, test } from "vitest";
import { createScanner } from "../../scan/scan.ts";
import { MORE_FAMILIES } from "./more-families.ts";
import { isOfFamily } from "./national-id.ts";

const scanner = createScanner(() => true);

/** A number of each family, made with the check digit of its rule. */
const VALID: ReadonlyArray<readonly [id: string, number: string]> = [
  ["ae/eid", "784-1990-1234567-6"],
  ["ar/cbu", "2850590940090418135201"],
  ["au/medicare", "2428 77813 2"],
  ["br/pis", "120.56874.10-7"],
  ["br/rg", "12.345.678-9"],
  ["br/titulo", "1043 5687 0116"],
  ["cz/ico", "25596641"],
  ["de/kvnr", "K220635158"],
  ["de/perso", "L22N01T98"],
  ["eg/nid", "29001011234567"],
  ["ir/melli", "0012345679"],
  ["jp/zairyu", "AB12345678CD"],
  ["mx/nss", "72795608040"],
  ["ru/ogrn", "1027700132195"],
  ["sa/id", "1051234563"],
  ["sg/nric", "S1234567D"],
  ["us/dea", "AB1234563"],
  ["us/mbi", "1EG4-TE5-MK73"],
  ["us/npi", "1234567893"],
  ["vn/cccd", "079204001234"],
];
/** Their form is all that there is to test. */
const WITHOUT_CHECK = new Set(["br/rg", "jp/zairyu", "de/perso", "eg/nid", "us/mbi", "vn/cccd"]);

const familyOf = (id: string) => MORE_FAMILIES.find((family) => family.id === id) ?? MORE_FAMILIES[0]!;

test("every family has a number here", () => {
  expect(VALID.map(([id]) => id)).toEqual(MORE_FAMILIES.map(({ id }) => id).toSorted());
});

describe.each(VALID)("%s", (id, number) => {
  const rule = `id.${id.replace("/", ".")}`;
  const word = familyOf(id).words.split("|")[0] ?? "";

  test("is found behind its word and stays without one", () => {
    const text = `${word.replace("=", "")}: ${number}`;
    const hits = scanner.scan(text, 0, text.length);
    expect(hits).toMatchObject([{ type: "NATIONAL_ID", rule, start: text.length - number.length, end: text.length }]);
    expect(scanner.scan(number, 0, number.length).map((hit) => hit.rule)).not.toContain(rule);
  });
});

test.each(VALID.filter(([id]) => !WITHOUT_CHECK.has(id)))("%s is not one with most other digits", (id, number) => {
  const others = [...number.matchAll(/[0-9]/g)].flatMap(({ index }) =>
    [..."0123456789"].map((digit) => number.slice(0, index) + digit + number.slice(index + 1)),
  );
  const wrong = others.filter((other) => !isOfFamily(familyOf(id), other));
  expect(wrong.length).toBeGreaterThan(others.length / 4);
});

test.each([
  ["the Slovenian VAT number is SI 5022 3054", "SI 5022 3054"],
  ["VAT ID: SK 202 274 96 19", "SK 202 274 96 19"],
  ["NINO: AA 12 34 56 B", "AA 12 34 56 B"],
  ["Personnummer: 8803200016", "8803200016"],
  ["numero_de_identificacion_tributaria: 213.123.432-1", "213.123.432-1"],
  ["ssn: 85073003328", "85073003328"],
])("%s", (text, value) => {
  const hits = scanner.scan(text, 0, text.length).map(({ start, end }) => text.slice(start, end));
  expect(hits).toContain(value);
});

test("capital letters that are no part of a number are left to the words", () => {
  const text = "SA ID 9406047713086, please";
  expect(scanner.scan(text, 0, text.length)).toMatchObject([{ type: "NATIONAL_ID", start: 6 }]);
});
