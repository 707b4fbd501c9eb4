import { describe, expect, test } from "vitest";
import { createScanner } from "../../scan/scan.ts";
import { FAMILIES } from "./families.ts";
import { isOfFamily } from "./national-id.ts";

const scanner = createScanner(() => true);

/** A valid number of each family, as published for tests of its rule. */
const VALID: ReadonlyArray<readonly [id: string, number: string]> = [
  ["ar/cuit", "20-05536168-2"],
  ["ar/dni", "20.123.456"],
  ["at/tin", "59-119/9013"],
  ["at/vnr", "1237 010180"],
  ["au/tfn", "123 456 782"],
  ["au/abn", "83 914 571 673"],
  ["au/acn", "004 085 616"],
  ["bg/egn", "8032056031"],
  ["br/cpf", "529.982.247-25"],
  ["br/cnpj", "16.727.230/0001-97"],
  ["ca/sin", "123-456-782"],
  ["ch/ssn", "756.9217.0769.85"],
  ["ch/uid", "CHE-107.787.577"],
  ["cl/rut", "12.531.909-2"],
  ["cn/ric", "360426199101010071"],
  ["co/nit", "213.123.432-1"],
  ["cz/rc", "710319/2745"],
  ["de/vat", "DE136695976"],
  ["dk/cpr", "010180-1234"],
  ["do/cedula", "001-1391820-5"],
  ["ec/ci", "171430710-3"],
  ["ee/ik", "36805280109"],
  ["es/dni", "54362315-K"],
  ["es/nif", "54362315K"],
  ["fi/hetu", "131052-308T"],
  ["fr/siret", "73282932000074"],
  ["fr/siren", "552 008 443"],
  ["gb/utr", "1955839661"],
  ["gr/amka", "01013099997"],
  ["hk/hkid", "G123456A"],
  ["id/npwp", "01.312.166.0-091.000"],
  ["ie/pps", "6433435F"],
  ["in/aadhaar", "234123412346"],
  ["in/gstin", "27AAPFU0939F1ZV"],
  ["is/kennitala", "450401-3150"],
  ["jp/cn", "5-8356-7825-6246"],
  ["lt/asmens", "33309240064"],
  ["lk/nic", "199439848733"],
  ["mx/rfc", "GODE561231GR8"],
  ["mx/clabe", "002010077777777771"],
  ["nl/bsn", "1112.22.333"],
  ["no/fodselsnummer", "151086 95088"],
  ["nz/ird", "4909185-0"],
  ["pe/ruc", "20512333797"],
  ["pk/cnic", "54104-9890578-6"],
  ["pl/pesel", "44051401359"],
  ["pl/regon", "192598184"],
  ["pt/nif", "507104560"],
  ["pt/cc", "00000000 0 ZZ4"],
  ["ro/cnp", "1630615123457"],
  ["ru/inn", "123456789047"],
  ["sg/uen", "00192200M"],
  ["tr/tckimlik", "17291716060"],
  ["tw/natid", "A200501505"],
  ["ua/rntrc", "1759013776"],
  ["uy/rut", "21-100342-001-7"],
  ["ve/rif", "V114702834"],
  ["za/idnr", "7503305044089"],
  ["be/nn", "85.07.30-033.28"],
  ["de/idnr", "36574261809"],
  ["es/nie", "X2482300W"],
  ["es/cif", "A58818501"],
  ["fr/nir", "295109912611193"],
  ["fr/nif", "3023217600053"],
  ["gb/nino", "AB123456C"],
  ["hr/oib", "33392005961"],
  ["il/idnr", "039337423"],
  ["in/pan", "ACUPA7085R"],
  ["it/codicefiscale", "RSSMRA85T10A562S"],
  ["it/iva", "00743110157"],
  ["kr/rrn", "971013-9019902"],
  ["mx/curp", "BOXW310820HNERXN09"],
  ["my/nric", "770305-02-1234"],
  ["pl/nip", "8567346215"],
  ["rs/jmbg", "0101006500006"],
  ["se/personnummer", "880320-0016"],
  ["si/emso", "0101006500006"],
  ["sk/rc", "7103192745"],
  ["th/idnr", "1101700230708"],
  ["us/ein", "91-1144442"],
  ["at/vatin", "ATU13585627"],
  ["be/vatin", "BE0776091951"],
  ["de/vatin", "DE136695976"],
  ["fr/vatin", "FR40303265045"],
  ["it/vatin", "IT00743110157"],
  ["nl/vatin", "NL004495445B01"],
  ["pl/vatin", "PL5260001246"],
  ["es/vatin", "ESA28015865"],
  ["gb/vatin", "GB980780684"],
  ["se/vatin", "SE556012579001"],
  ["lu/vatin", "LU15027442"],
  ["dk/vatin", "DK13585628"],
  ["fi/vatin", "FI20774740"],
  ["ie/vatin", "IE6433435F"],
  ["pt/vatin", "PT501964843"],
  ["ro/vatin", "RO18547290"],
  ["cz/vatin", "CZ25123891"],
  ["hu/vatin", "HU12892312"],
  ["sk/vatin", "SK2022749619"],
  ["si/vatin", "SI50223054"],
  ["hr/vatin", "HR33392005961"],
  ["bg/vatin", "BG175074752"],
  ["ee/vatin", "EE100931558"],
  ["lt/vatin", "LT119511515"],
  ["lv/vatin", "LV40003521600"],
  ["mt/vatin", "MT11679112"],
  ["cy/vatin", "CY10259033P"],
  ["el/vatin", "EL094259216"],
];

test("every family has a number here", () => {
  expect(VALID.map(([id]) => id).toSorted()).toEqual(
    FAMILIES.filter(({ named }) => named !== true)
      .map(({ id }) => id)
      .toSorted(),
  );
  expect(FAMILIES.length).toBeGreaterThanOrEqual(35);
});

const announced = (words: string, number: string): string[] => {
  const [word = ""] = words.split("|").filter((each) => !each.startsWith("="));
  const name = word === "" ? words.split("|")[0]?.slice(1) : word;
  const text = `${name}: ${number}`;
  return scanner.scan(text, 0, text.length).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);
};

describe.each(VALID)("%s", (id, number) => {
  const family = FAMILIES.find((each) => each.id === id);
  if (family === undefined) throw new Error(`no family ${id}`);

  test("is found when its words announce it", () => {
    // a member's name may be the only word
    const words = id === "ar/dni" ? "dni argentino" : family.words === "" ? "vat number" : family.words;
    const found = announced(words, number);
    expect(found).toEqual([`NATIONAL_ID ${number}`]);
  });

  test("is not one with another digit that its rule does not allow", () => {
    const others = [...number.matchAll(/[0-9]/g)].flatMap(({ index }) =>
      [..."0123456789"].map((digit) => number.slice(0, index) + digit + number.slice(index + 1)),
    );
    const wrong = others.filter((other) => !isOfFamily(family, other));
    // forms without a check digit have few wrong ones
    if (["in/pan", "gb/nino", "us/ein", "lk/nic", "ar/dni", "dk/cpr", "pk/cnic", "my/nric"].includes(id)) return;
    expect(wrong.length).toBeGreaterThan(others.length / 4);
    for (const other of wrong.slice(0, 40))
      expect(isOfFamily(family, other.replace(/[^\p{L}\p{N}]/gu, ""))).toBe(false);
  });

  if (family.prefix !== undefined)
    test("is found without a word that announces it", () => {
      const text = `from ${number}, Milano`;
      expect(scanner.scan(text, 0, text.length)).toMatchObject([{ rule: `id.${id.replace("/", ".")}` }]);
    });

  if (family.shapes.length === 0)
    test("stays without a word that announces it", () => {
      const text = number.replace(/[^\p{L}\p{N}]/gu, "");
      const rules = scanner.scan(text, 0, text.length).map(({ rule }) => rule);
      expect(rules).not.toContain(`id.${id.replace("/", ".")}`);
    });
});
