import { describe, expect, test } from "vitest";
import { createScanner } from "../../scan/scan.ts";
import { NAMED_FAMILIES } from "./named-families.ts";
import { isOfFamily } from "./national-id.ts";

const scanner = createScanner(() => true);

/** A number of each family, as published for tests of its rule. */
const VALID: ReadonlyArray<readonly [id: string, number: string]> = [
  ["ad/nrt", "U-132950-X"],
  ["al/nipt", "K22218003V"],
  ["az/tin", "140 155 5071"],
  ["be/bis", "98 47 28 997 65"],
  ["be/vat", "428759497"],
  ["bg/pnf", "7111 042 925"],
  ["by/unp", "200988541"],
  ["ca/phn", "9698 658 215"],
  ["ca/bn", "12302 6635"],
  ["cn/uscc", "91110000600037341L"],
  ["cr/cpf", "3-0455-0175"],
  ["cr/cpj", "3-101-999999"],
  ["cr/cr", "155812994816"],
  ["cu/ni", "91021027775"],
  ["cz/dic", "25123891"],
  ["de/stnr", "181/815/0815 5"],
  ["de/svnr", "15070649C103"],
  ["dk/cvr", "13585628"],
  ["do/rnc", "1-01-85004-3"],
  ["dz/nif", "416001000000007"],
  ["ec/ruc", "1792060346-001"],
  ["ee/kmkr", "100594102"],
  ["ee/registrikood", "12345678"],
  ["es/nss", "281234567840"],
  ["fi/alv", "20774740"],
  ["fi/ytunnus", "2077474-0"],
  ["fr/tva", "23334175221"],
  ["gb/nhs", "043-476-5880"],
  ["gh/tin", "C0000803561"],
  ["gr/vat", "094259216"],
  ["gt/cui", "1234 56789 0101"],
  ["gt/nit", "576937-K"],
  ["hu/adoazonosito", "8071592153"],
  ["hu/anum", "12892312"],
  ["id/nik", "3171011708450001"],
  ["in/epic", "WKH1186253"],
  ["in/vid", "2341234123412341"],
  ["jp/in", "6214 9832 0257"],
  ["ke/pin", "P051365947M"],
  ["kr/brn", "116-82-00276"],
  ["lt/pvm", "119511515"],
  ["lv/pvn", "161175-19997"],
  ["ma/ice", "001561191000066"],
  ["md/idno", "1008600038413"],
  ["me/pib", "02655284"],
  ["mk/edb", "4030000375897"],
  ["mz/nuit", "400339910"],
  ["nl/btw", "004495445B01"],
  ["nl/idkaart", "EM0000000"],
  ["nl/onderwijsnummer", "1012.22.331"],
  ["no/orgnr", "988 077 917"],
  ["pe/cui", "10117410"],
  ["py/ruc", "80028061-0"],
  ["ro/cui", "185 472 90"],
  ["rs/pib", "101134702"],
  ["ru/snils", "112-233-445 95"],
  ["se/orgnr", "1234567897"],
  ["si/ddv", "5022 3054"],
  ["sk/dph", "202 274 96 19"],
  ["sv/nit", "0614-050707-104-8"],
  ["th/tin", "0-99-4-000-61772-1"],
  ["tr/vkn", "4540536920"],
  ["tw/ubn", "00501503"],
  ["ua/edrpou", "32855961"],
  ["us/ptin", "P-00634642"],
  ["uy/cedula", "1.234.567-2"],
  ["vn/mst", "0100233488"],
  ["za/tin", "0001339050"],
];
/** Their form is all that there is to test. */
const WITHOUT_CHECK = new Set([
  "ad/nrt",
  "al/nipt",
  "az/tin",
  "cr/cpf",
  "cr/cr",
  "cu/ni",
  "de/stnr",
  "dz/nif",
  "gh/tin",
  "id/nik",
  "in/epic",
  "ke/pin",
  "nl/idkaart",
  "pe/cui",
  "us/ptin",
]);

const rulesIn = (text: string): string[] => scanner.scan(text, 0, text.length).map(({ rule }) => rule ?? "");

function familyOf(id: string): (typeof NAMED_FAMILIES)[number] {
  const family = NAMED_FAMILIES.find((each) => each.id === id);
  if (family === undefined) throw new Error(`no family ${id}`);
  return family;
}

test("every family that only its words announce has a number here", () => {
  expect(VALID.map(([id]) => id).toSorted()).toEqual(NAMED_FAMILIES.map(({ id }) => id).toSorted());
});

describe.each(VALID)("%s", (id, number) => {
  const family = familyOf(id);
  const rule = `id.${id.replace("/", ".")}`;
  const [word = ""] = family.words.split("|");

  test("is found behind its word and stays without one", () => {
    const text = `${word}: ${number}`;
    const hits = scanner.scan(text, 0, text.length);
    expect(hits).toMatchObject([{ type: "NATIONAL_ID", rule, start: text.length - number.length, end: text.length }]);
    expect(rulesIn(number)).not.toContain(rule);
    expect(rulesIn(`tax id: ${number}`)).not.toContain(rule);
  });
});

test.each(VALID.filter(([id]) => !WITHOUT_CHECK.has(id)))("%s is not one with most other digits", (id, number) => {
  const others = [...number.matchAll(/[0-9]/g)].flatMap(({ index }) =>
    [..."0123456789"].map((digit) => number.slice(0, index) + digit + number.slice(index + 1)),
  );
  const wrong = others.filter((other) => !isOfFamily(familyOf(id), other));
  expect(wrong.length).toBeGreaterThan(others.length / 4);
});
