import type { Family } from "./family.ts";

const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * (digits.charCodeAt(i) - 48), 0);

/** The tenth digit makes the sum of all, weighted ten to one, a multiple of eleven. */
function isNhs(digits: string): boolean {
  return /^\d{10}$/.test(digits) && weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}

function isMyNumber(digits: string): boolean {
  if (!/^\d{12}$/.test(digits)) return false;
  const rest = weighted(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest <= 1 ? 0 : 11 - rest) === Number(digits[11]);
}

function isSnils(digits: string): boolean {
  if (!/^\d{11}$/.test(digits)) return false;
  const rest = weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101;
  return (rest === 100 ? 0 : rest) === Number(digits.slice(9));
}

/** The tenth digit is the sum of the others, weighted one to nine, modulo eleven. */
const isHungarianTaxId = (digits: string): boolean =>
  /^8\d{9}$/.test(digits) && weighted(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 === Number(digits[9]);

/** A family that only its own words announce. */
export const named = (
  id: string,
  name: string,
  min: number,
  max: number,
  words: string,
  form?: RegExp,
  check?: (compact: string) => boolean,
): Family => ({
  id,
  name,
  length: [min, max],
  shapes: [],
  words,
  named: true,
  ...(form === undefined ? {} : { form }),
  ...(check === undefined ? {} : { check }),
});
/** A form is all that there is to test. */
export const byForm = (id: string, name: string, min: number, max: number, words: string, form: RegExp): Family =>
  named(id, name, min, max, words, undefined, (compact) => form.test(compact));

/** Families that only words of their own announce. Reviewed as data. */
export const NAMED_FAMILIES: readonly Family[] = [
  named("ad/nrt", "Andorra, NRT", 8, 8, "nrt|número de registre tributari"),
  named("al/nipt", "Albania, NIPT", 10, 12, "nipt|nuis|albanian"),
  named("az/tin", "Azerbaijan, VÖEN", 10, 10, "vöen|voen|azerbaijani"),
  named("be/bis", "Belgium, BIS number", 11, 11, "bis nummer|bisnummer|bis number|insz|niss|belgian"),
  named("be/vat", "Belgium, enterprise number", 9, 12, "ondernemingsnummer|btw|btw nummer|numéro d'entreprise|tva"),
  named("bg/pnf", "Bulgaria, number of a foreigner", 10, 10, "pnf|лнч"),
  named("by/unp", "Belarus, UNP", 9, 9, "unp|унп|учетный номер плательщика"),
  {
    ...named("ca/phn", "Canada, personal health number", 10, 10, "bc phn|phn|personal health number"),
    validator: "ca/bc_bhn",
  },
  named("ca/bn", "Canada, business number", 9, 15, "business number|=bn"),
  named("cn/uscc", "China, USCC", 18, 18, "uscc|unified social credit code|统一社会信用代码"),
  named("cr/cpf", "Costa Rica, persons", 9, 10, "cédula de persona física|costa rican"),
  named("cr/cpj", "Costa Rica, companies", 10, 10, "cédula de persona jurídica|cédula jurídica|costa rican"),
  named("cr/cr", "Costa Rica, residents", 11, 12, "cédula de residencia|dimex|costa rican"),
  named("cu/ni", "Cuba, identity card", 11, 11, "carné de identidad|número de identidad|cuban"),
  named("cz/dic", "Czechia, tax number", 8, 12, "dič|daňové identifikační číslo"),
  named("de/stnr", "Germany, tax number of an office", 10, 13, "steuernummer|stnr|st nr|steuer nr"),
  named(
    "de/svnr",
    "Germany, pension insurance",
    12,
    12,
    "rentenversicherungsnummer|sozialversicherungsnummer|versicherungsnummer|svnr|rvnr|sv nummer|rv nummer|sv nr|rv nr",
  ),
  named("dk/cvr", "Denmark, CVR", 8, 10, "cvr|cvr nummer|momsregistreringsnummer"),
  named("do/rnc", "Dominican Republic, RNC", 9, 9, "rnc|nacional del contribuyente"),
  named("dz/nif", "Algeria, NIF", 15, 20, "nif|numéro d'identification fiscale|d identification fiscale|algerian"),
  named("ec/ruc", "Ecuador, RUC", 13, 13, "ruc|registro único de contribuyentes"),
  named("ee/registrikood", "Estonia, register of companies", 8, 8, "registrikood"),
  named("ee/kmkr", "Estonia, VAT", 9, 11, "kmkr"),
  named("es/nss", "Spain, social security", 11, 12, "nss|número de seguridad social|de la seguridad social|naf"),
  named("fi/ytunnus", "Finland, business id", 7, 8, "y tunnus|ytunnus"),
  named("fi/alv", "Finland, VAT", 8, 10, "alv|alv nro|arvonlisäveronumero"),
  named("fr/tva", "France, VAT without country", 11, 13, "tva|numéro de tva|tva intracommunautaire"),
  byForm("gh/tin", "Ghana, TIN", 11, 15, "ghana card|ghanaian", /^(?:[PCGQV]\d{9}[0-9X]\d?|GHA\d{10})$/),
  named("gr/vat", "Greece, AFM", 9, 11, "αφμ|afm|φπα|μητρώου"),
  named("gt/nit", "Guatemala, NIT", 5, 12, "nit|de identificación tributaria|guatemalan"),
  named("gt/cui", "Guatemala, CUI", 13, 13, "cui|dpi|guatemalan"),
  named(
    "hu/adoazonosito",
    "Hungary, tax number of a person",
    10,
    10,
    "adóazonosító|adóazonosító jel|adóazonosító jele|adóazonosító szám",
    undefined,
    isHungarianTaxId,
  ),
  named("hu/anum", "Hungary, tax number", 8, 11, "adószám|anum|közösségi adószám|hungarian"),
  byForm(
    "id/nik",
    "Indonesia, NIK",
    16,
    16,
    "nik|nomor induk kependudukan|ktp|e ktp|indonesian",
    /^[1-9]\d{5}(?:[0-6]\d|7[01])(?:0[1-9]|1[0-2])\d{6}$/,
  ),
  named("in/epic", "India, voter id", 10, 10, "epic|epic number|epic no|voter id|voter id number|voter id card"),
  named("in/vid", "India, virtual id", 16, 16, "aadhaar vid|virtual id|=vid number"),
  named(
    "jp/in",
    "Japan, individual number",
    12,
    12,
    "my number|mynumber|individual number|マイナンバー|個人番号|japanese",
    undefined,
    isMyNumber,
  ),
  named("ke/pin", "Kenya, PIN", 11, 11, "kra pin|kenyan"),
  named(
    "kr/brn",
    "South Korea, business registration",
    10,
    10,
    "brn|business registration number|사업자등록번호|사업자 등록 번호",
  ),
  named("lt/pvm", "Lithuania, VAT", 9, 14, "pvm|pvm kodas"),
  named("lv/pvn", "Latvia, VAT and personal code", 11, 13, "pvn|personas kods|latvian"),
  named("ma/ice", "Morocco, ICE", 15, 15, "identifiant commun|=ice number"),
  named("md/idno", "Moldova, IDNO", 13, 13, "idno|idnp|moldovan"),
  named("me/pib", "Montenegro, PIB", 8, 8, "pib|poreski identifikacioni broj"),
  named("mk/edb", "North Macedonia, EDB", 13, 15, "едб|edb"),
  named("mz/nuit", "Mozambique, NUIT", 9, 9, "nuit|de identificação tributária"),
  byForm(
    "nl/idkaart",
    "Netherlands, identity card",
    9,
    9,
    "identiteitskaartnummer|identiteitskaart|documentnummer",
    /^[A-NP-Z]{2}[0-9A-NP-Z]{6}\d$/,
  ),
  named("nl/btw", "Netherlands, VAT", 12, 14, "btw|btw nummer|btw id|omzetbelastingnummer|identificatienummer"),
  named("nl/onderwijsnummer", "Netherlands, education number", 9, 9, "onderwijsnummer"),
  named("no/orgnr", "Norway, organisation number", 9, 9, "orgnr|organisasjonsnummer|org nr|mva"),
  named("pe/cui", "Peru, DNI", 8, 9, "cui|dni|cédula única de identidad|peruvian"),
  named("py/ruc", "Paraguay, RUC", 5, 9, "ruc|registro único de contribuyentes|paraguayan"),
  named("ro/cui", "Romania, CUI", 6, 12, "cod fiscal|cui|codul unic de înregistrare|cod unic de înregistrare"),
  named("rs/pib", "Serbia, PIB", 9, 9, "pib|poreski identifikacioni broj"),
  named("ru/snils", "Russia, SNILS", 11, 11, "snils|снилс|russian", undefined, isSnils),
  named("se/orgnr", "Sweden, organisation number", 10, 10, "organisationsnummer|orgnr|org nr"),
  named("si/ddv", "Slovenia, tax number", 8, 10, "ddv|davčna številka|id za ddv"),
  named("sk/dph", "Slovakia, VAT", 10, 12, "ič dph|ic dph|dph"),
  named("sv/nit", "El Salvador, NIT", 14, 16, "nit|de identificación tributaria|salvadoran"),
  named("th/tin", "Thailand, tax number", 13, 13, "เลขประจำตัวผู้เสียภาษี|thai"),
  named("tr/vkn", "Türkiye, tax number", 10, 10, "vkn|vergi no|vergi numarası|vergi kimlik numarası|turkish"),
  named("tw/ubn", "Taiwan, business number", 8, 8, "ubn|統一編號|統編"),
  named("ua/edrpou", "Ukraine, EDRPOU", 8, 8, "єдрпоу|edrpou"),
  named("gb/nhs", "United Kingdom, NHS", 10, 10, "nhs|nhs number|nhs no|british|uk", undefined, isNhs),
  byForm("us/ptin", "United States, PTIN", 9, 9, "ptin|preparer tax identification number", /^P\d{8}$/),
  named("uy/cedula", "Uruguay, cédula", 7, 8, "cédula|cedula|cédula de identidad|uruguayan"),
  named("vn/mst", "Vietnam, MST", 10, 13, "mst|mã số thuế|vietnamese"),
  named("za/tin", "South Africa, tax number", 10, 10, "sars tax number|south african"),
];
