import { passesLuhn } from "../luhn.ts";
import { withAdjective } from "./adjectives.ts";
import { MORE_FAMILIES } from "./more-families.ts";
import { NAMED_FAMILIES } from "./named-families.ts";
import { VAT_FAMILIES } from "./vat-families.ts";

/** A kind of national or tax number with a checksum or a fixed structure, as `stdnum` checks it. */
export interface Family {
  /** `<country>.<name>`, also the path of its validator */
  readonly id: string;
  /** what it is called, for people */
  readonly name: string;
  /** letters and digits without separators */
  readonly length: readonly [min: number, max: number];
  /** forms that are found without a cue: `d` digits, `x` other groups, with the separators between */
  readonly shapes: readonly string[];
  /** words that announce it, in text and as names of members */
  readonly words: string;
  /** a form without letters that must hold besides the validator's own test */
  readonly form?: RegExp;
  /** path of the validator, where it is not the id */
  readonly validator?: string;
  /** letters that each number of the family begins with: they say which family is asked */
  readonly prefix?: string;
  /** only words of its own announce it: under a general one it would take too much of other kinds */
  readonly named?: true;
  /** its test, where `stdnum` has none; letters and digits, capital */
  readonly check?: (compact: string) => boolean;
}

const f = (
  id: string,
  name: string,
  min: number,
  max: number,
  shapes: string,
  words: string,
  form?: RegExp,
): Family => ({
  id,
  name,
  length: [min, max],
  shapes: shapes === "" ? [] : shapes.split(","),
  words,
  ...(form === undefined ? {} : { form }),
});

/** Reviewed as data. Bare digits have no shape here: they are looked at only behind a cue. */
const OWN: readonly Family[] = [
  f("ar/cuit", "Argentina, CUIT", 11, 11, "d2-d8-d1", "cuit|cuil|argentina|argentinian"),
  f("ar/dni", "Argentina, DNI", 7, 8, "", "=dni argentina|dni argentino|dni|documento nacional de identidad"),
  f("at/tin", "Austria, tax number", 9, 9, "", "abgabenkontonummer|steuernummer|austrian"),
  f(
    "at/vnr",
    "Austria, social insurance",
    10,
    10,
    "",
    "svnr|vsnr|vnr|sozialversicherungsnummer|versicherungsnummer|sv nummer|svnummer|austrian",
  ),
  f("au/tfn", "Australia, tax file number", 8, 9, "", "tfn|tax file number|tax file|australian"),
  f("au/abn", "Australia, business number", 11, 11, "", "abn|business number|australian"),
  f("au/acn", "Australia, company number", 9, 9, "", "acn|australian company number"),
  f(
    "be/nn",
    "Belgium, national number",
    11,
    11,
    "d2.d2.d2-d3.d2",
    "rijksregisternummer|rijksregister|numéro national|registre national|numéro de registre national|national register number|nrn|=nn|niss|insz|belgian",
  ),
  f("bg/egn", "Bulgaria, EGN", 10, 10, "", "egn|егн|единен граждански номер|bulgarian"),
  f("br/cpf", "Brazil, CPF", 11, 11, "d3.d3.d3-d2", "cpf|cadastro de pessoas físicas|brazil|brazilian"),
  f("br/cnpj", "Brazil, CNPJ", 14, 14, "d2.d3.d3/d4-d2", "cnpj|nacional da pessoa jurídica|brazil|brazilian"),
  f("ca/sin", "Canada, SIN", 9, 9, "", "sin|social insurance number|social insurance|canadian"),
  f("ch/ssn", "Switzerland, AHV", 13, 13, "d3.d4.d4.d2", "ahv|avs|ahv nummer|oasi|swiss|swiss social security"),
  f(
    "ch/uid",
    "Switzerland, UID",
    12,
    12,
    "x3-d3.d3.d3",
    "uid nummer|unternehmens identifikationsnummer|ide nummer|swiss",
    /^CHE/,
  ),
  f(
    "cl/rut",
    "Chile, RUT",
    8,
    9,
    "d2.d3.d3-d1,d2.d3.d3-x1,d1.d3.d3-d1,d1.d3.d3-x1",
    "rut|rol único|rol único tributario|chile|chilean",
  ),
  f(
    "cn/ric",
    "China, resident id",
    18,
    18,
    "d18,x18",
    "身份证|居民身份证|身份证号|身份证号码|公民身份号码|resident identity card|ric no|chinese",
  ),
  f(
    "co/nit",
    "Colombia, NIT",
    8,
    16,
    "",
    "nit|número de identificación tributaria|de identificación tributaria|colombia|colombian",
  ),
  f("cz/rc", "Czechia, birth number", 9, 10, "", "rodné číslo|rodne cislo|rč|r.č|birth number|czech"),
  f(
    "de/idnr",
    "Germany, tax id",
    11,
    11,
    "",
    "steuer id|steuerid|steueridentifikationsnummer|steuer-id|idnr|identifikationsnummer|german",
  ),
  f("de/vat", "Germany, VAT", 9, 11, "", "ust|ustid|ust idnr|umsatzsteuer|german"),
  f("dk/cpr", "Denmark, CPR", 10, 10, "", "cpr|cpr nummer|personnummer|danish"),
  f("do/cedula", "Dominican Republic, cédula", 11, 11, "d3-d7-d1", "cédula|cedula|dominican"),
  f("ec/ci", "Ecuador, CI", 10, 10, "", "cédula|cedula|cédula de identidad|ecuador|ecuadorian"),
  f("ee/ik", "Estonia, isikukood", 11, 11, "", "isikukood|estonian"),
  f("es/dni", "Spain, DNI", 9, 9, "x9,d8-x1", "dni|documento nacional de identidad|spanish", /^\d{8}-?[A-Z]$/),
  f(
    "es/nie",
    "Spain, NIE",
    9,
    9,
    "x9,x1-d7-x1,x8-x1",
    "nie|número de identidad de extranjero|de identidad de extranjero|de identificación de extranjero|spanish",
    /^[XYZ]-?\d{7}-?[A-Z]$/,
  ),
  f("es/nif", "Spain, NIF", 9, 11, "", "nif|número de identificación fiscal|de identificación fiscal|spanish"),
  f("es/cif", "Spain, CIF", 9, 9, "", "cif|código de identificación fiscal|de identificación fiscal|spanish"),
  f("fi/hetu", "Finland, HETU", 10, 11, "d6-x4,d6-d4", "hetu|henkilötunnus|finnish", /^\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]$/),
  f(
    "fr/nir",
    "France, NIR",
    15,
    15,
    "d1 d2 d2 d2 d3 d3 d2,d1 d2 d2 d2 d3 d3-d2,d1-d2-d2-d2-d3-d3-d2",
    "nir|insee|numéro de sécurité sociale|sécu sociale|sécurité sociale|securite sociale|french",
  ),
  f("fr/nif", "France, tax number", 13, 13, "", "numéro fiscal|numéro fiscal de référence|spi|nif|french"),
  f("fr/siret", "France, SIRET", 14, 14, "", "siret|french"),
  f("fr/siren", "France, SIREN", 9, 9, "", "siren|french"),
  f(
    "gb/nino",
    "United Kingdom, national insurance",
    9,
    9,
    "x9,x2 d2 d2 d2 x1,x2-d2-d2-d2-x1,x2 d6 x1,x2-d6-x1",
    "nino|ni number|national insurance number|national insurance|british|uk",
    /^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ -]?\d\d[ -]?\d\d[ -]?\d\d[ -]?[A-D]$/,
  ),
  f("gb/utr", "United Kingdom, UTR", 10, 10, "", "utr|unique taxpayer reference|british|uk"),
  f("gr/amka", "Greece, AMKA", 11, 11, "", "amka|αμκα|μητρώου κοινωνικής ασφάλισης|greek"),
  f("hk/hkid", "Hong Kong, identity card", 8, 9, "", "hkid|hong kong"),
  f("hr/oib", "Croatia, OIB", 11, 11, "", "oib|osobni identifikacijski broj|croatian"),
  f("id/npwp", "Indonesia, NPWP", 15, 16, "d2.d3.d3.d1-d3.d3", "npwp|nomor pokok wajib pajak|indonesian"),
  f(
    "ie/pps",
    "Ireland, PPS",
    8,
    9,
    "",
    "pps|ppsn|pps number|pps no|personal public service|personal public service number|irish",
  ),
  f("il/idnr", "Israel, identity number", 9, 9, "", "teudat zehut|mispar zehut|ת.ז|ת ז|תעודת זהות|מספר זהות|israeli"),
  f("in/aadhaar", "India, Aadhaar", 12, 12, "", "aadhaar|aadhar|uidai|आधार|आधार संख्या|आधार नंबर|indian"),
  f(
    "in/pan",
    "India, PAN",
    10,
    10,
    "x10",
    "pan|permanent account number|indian",
    /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/,
  ),
  f("in/gstin", "India, GSTIN", 15, 15, "x15", "gstin|gst|indian", /^\d\d[A-Z]{5}\d{4}[A-Z][0-9A-Z]Z[0-9A-Z]$/),
  f("is/kennitala", "Iceland, kennitala", 10, 10, "", "kennitala|kt|icelandic"),
  f(
    "it/codicefiscale",
    "Italy, codice fiscale",
    16,
    16,
    "x16",
    "codice fiscale|codicefiscale|cod fisc|italian",
    /^[A-Z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]$/i,
  ),
  f("it/iva", "Italy, partita IVA", 11, 11, "", "partita iva|p iva|piva|p.iva|codice fiscale|italian"),
  f("jp/cn", "Japan, corporate number", 13, 13, "", "corporate number|法人番号|japanese"),
  f(
    "kr/rrn",
    "South Korea, resident registration",
    13,
    13,
    "d6-d7",
    "rrn|resident registration number|resident registration|주민등록번호|주민번호|korean",
    /^\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-?[0-9]\d{6}$/,
  ),
  f("lt/asmens", "Lithuania, asmens kodas", 11, 11, "", "asmens kodas|lithuanian"),
  f("lk/nic", "Sri Lanka, NIC", 10, 12, "", "nic|sri lankan"),
  f(
    "mx/curp",
    "Mexico, CURP",
    18,
    18,
    "x18",
    "curp|única de registro de población|mexican",
    /^[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d$/i,
  ),
  f("mx/rfc", "Mexico, RFC", 12, 13, "", "rfc|registro federal de contribuyentes|mexican"),
  f("mx/clabe", "Mexico, CLABE", 18, 18, "", "clabe|mexican"),
  f(
    "my/nric",
    "Malaysia, MyKad",
    12,
    12,
    "d6-d2-d4",
    "mykad|nric|malaysian",
    /^\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-?\d\d-?\d{4}$/,
  ),
  f("nl/bsn", "Netherlands, BSN", 9, 9, "", "bsn|burgerservicenummer|sofinummer|dutch"),
  f(
    "no/fodselsnummer",
    "Norway, fødselsnummer",
    11,
    11,
    "",
    "fødselsnummer|fodselsnummer|fnr|personnummer|birth number|norwegian",
  ),
  f("nz/ird", "New Zealand, IRD", 8, 9, "", "ird|ird number|inland revenue|new zealand"),
  f("pe/ruc", "Peru, RUC", 11, 11, "", "ruc|registro único de contribuyentes|peru|peruvian"),
  f("pk/cnic", "Pakistan, CNIC", 13, 13, "d5-d7-d1", "cnic|pakistani"),
  f("pl/pesel", "Poland, PESEL", 11, 11, "", "pesel|poland|polish"),
  f("pl/nip", "Poland, NIP", 10, 10, "", "nip|numer identyfikacji podatkowej|poland|polish"),
  f("pl/regon", "Poland, REGON", 9, 14, "", "regon|rejestr gospodarki narodowej|polish"),
  f("pt/nif", "Portugal, NIF", 9, 9, "", "nif|contribuinte|número de contribuinte|de identificação fiscal|portuguese"),
  f(
    "pt/cc",
    "Portugal, cartão de cidadão",
    12,
    12,
    "",
    "cartão de cidadão|cartão do cidadão|=cc number portugal|portuguese",
  ),
  f("ro/cnp", "Romania, CNP", 13, 13, "", "cnp|cod numeric personal|romanian"),
  f("rs/jmbg", "Serbia, JMBG", 13, 13, "", "jmbg|jmb|јмбг|serbian|bosnian"),
  f("ru/inn", "Russia, INN", 10, 12, "", "inn|инн|идентификационный номер налогоплательщика|russian"),
  {
    ...f(
      "se/personnummer",
      "Sweden, personnummer",
      10,
      12,
      "d6-d4,d8-d4",
      "personnummer|samordningsnummer|swedish",
      /^(?:19|20)?\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01]|[6-8]\d|9[01])[-+]?\d{4}$/,
    ),
    // stdnum wants a sign between
    check: (compact) => passesLuhn(compact, compact.length - 10, compact.length),
  },
  f("sg/uen", "Singapore, UEN", 9, 10, "", "uen|singapore"),
  f("si/emso", "Slovenia, EMŠO", 13, 13, "", "emšo|emso|enotna matična številka občana|slovenian"),
  f("sk/rc", "Slovakia, birth number", 9, 10, "", "rodné číslo|rodne cislo|rč|r.č|birth number|slovak"),
  f("th/idnr", "Thailand, identity number", 13, 13, "d1-d4-d5-d2-d1", "thai id|เลขประจำตัวประชาชน|บัตรประชาชน|thai"),
  f("tr/tckimlik", "Türkiye, TC kimlik", 11, 11, "", "tc kimlik|kimlik|tckn|t.c|turkish"),
  f("tw/natid", "Taiwan, national id", 10, 10, "", "身分證|身份證|身分證字號|身份證字號|taiwanese|taiwan"),
  f("ua/rntrc", "Ukraine, RNTRC", 10, 10, "", "рнокпп|rntrc|rnokpp|іпн|ідентифікаційний код|ukrainian"),
  f(
    "us/ein",
    "United States, EIN",
    9,
    9,
    "",
    "ein|employer identification number|employer id|employer identification|fein",
  ),
  f("uy/rut", "Uruguay, RUT", 12, 12, "", "rut|registro único tributario|uruguayan"),
  f("ve/rif", "Venezuela, RIF", 10, 10, "", "rif|registro de información fiscal|de identificación fiscal|venezuelan"),
  f("za/idnr", "South Africa, identity number", 13, 13, "", "rsa id|sa id|south african id|=za id|south african"),
];

export const FAMILIES: readonly Family[] = [
  ...[...OWN, ...NAMED_FAMILIES, ...MORE_FAMILIES].map(withAdjective),
  ...VAT_FAMILIES,
];
