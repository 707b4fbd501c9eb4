import { nameWords } from "../names/name-words.ts";
import { createWordTable, type WordTable } from "./word-table.ts";

/** What a name or a phrase says about the value behind it, as bits. */
export const CUE = {
  phone: 1,
  card: 2,
  ssn: 4,
  national: 8,
  passport: 16,
  licence: 32,
  birth: 64,
  bank: 128,
  address: 256,
  person: 512,
  postcode: 1024,
  version: 2048,
  wallet: 4096,
  mac: 8192,
  code: 16384,
  iban: 32768,
} as const;

export interface Cue {
  readonly kinds: number;
  /** ids of national number families that the words name; empty: any */
  readonly families: readonly string[];
}

export const NO_CUE: Cue = { kinds: 0, families: [] };

/** Phrases by what they announce. Words are lower case; `=` before one: it counts only as the name of a member. */
const PHRASES: Record<keyof typeof CUE, string> = {
  phone:
    "phone|phones|telephone|tel|mobile|cell|cellphone|cellular|fax|telefax|msisdn|whatsapp|sms|landline|hotline|=wa id|=waid|call|dial|text me|phone number|mobile number|cell number|contact number|contact no|telefon|telefono|teléfono|téléphone|telefone|handy|handynummer|rufnummer|mobil|mobilnummer|móvil|celular|celulare|fone|telefones|zap|whats|zapzap|número de celular|cellulare|portable|numéro|ring|tlf|tfno|cel|llámame|llamame|llamar|llámeme|márcame|marcame|chiamami|chiamare|zadzwoń|komórka|tel kom|zavolejte|zavolat|ligue para|ligar para|позвоните|позвони|звоните|телефону|打电话|拨打|致电|연락처|=phonenumbers|reach me|reach us|phone no|mob|ph|callback|phone#|ph#|tel#|cell#|telefonnummer|telefonnr|handynr|mobiltelefon|telefoon|telefonu|numer telefonu|nr telefonu|telefoonnummer|mobiel|telemóvel|telefonszám|puhelin|τηλέφωνο|телефон|тел|моб|手机|手机号|手机号码|電話|電話番号|电话|电话号码|联系电话|携帯|携帯電話|携帯番号|電話番号は|連絡先|固定電話|自宅電話|ファックス|전화|전화번호|휴대폰|הטלפון|טלפון|هاتف|cep telefonu",
  card: "card|cards|credit card|debit card|card number|card no|cc|ccn|cc number|creditcard|cardnumber|pan|visa|mastercard|amex|american express|discover|maestro|diners|jcb|unionpay|payment card|kreditkarte|kartennummer|tarjeta|carte bancaire|银行卡|银行卡号|信用卡|信用卡号|クレジットカード|신용카드|carta di credito|=card num|=cardno|=ccnum|=cc num|=payment card number",
  ssn: "ssn|social security|social security number|social security no|soc sec|socialsecuritynumber|=social|ss#|ssn#|itin|individual taxpayer",
  national:
    "national id|national id number|national identification|national identification number|national identity|national identity number|national insurance|identity number|identity card|identification number|personal id|personal identification number|personal number|personal code|citizen id|citizen number|citizenship number|citizen service number|resident id|tax id|tax id number|tax identification|tax identification number|tax number|taxpayer|taxpayer id|taxpayer number|taxpayer identification number|tin|vat|vat id|vat number|vat no|id card|id card number|id no|id number|government id|govt id|identity document|=nid|=nin|=national number|=idnumber|=nationalid|=taxid|=id card|=ein|=vatid|=vat reg|=gov id|=national no|company number|registration number|=bvn|=pan card|=mrn|=medical record number|=medical record|=health insurance|=health insurance number|=insurance number|=health card number|=health number|=residence permit|=residence permit number|=alien registration number|=visa number|=voter registration|=voter registration number|=electoral number|=military id|=ni no|=ssn or tin",
  passport:
    "passport|passport number|passport no|passport num|passport id|travel document|reisepass|reisepassnummer|passeport|pasaporte|passaporto|passnummer|passport#|paspoort|paspoortnummer|paszport|паспорт|护照|护照号|护照号码|護照|パスポート|パスポート番号|旅券番号|여권|여권번호|paszportu|numer paszportu|паспорта|номер паспорта|numer dowodu|загранпаспорт|número de pasaporte|numéro de passeport|numero di passaporto|جواز السفر|pasaport",
  licence:
    "driver license|driver licence|drivers license|drivers licence|driver's license|driver's licence|driving license|driving licence|dl number|dl no|license number|licence number|driver's license number|driving licence number|driver's licence number|driver license number|führerschein|führerscheinnummer|permis de conduire|licencia de conducir|patente di guida|=drivers license number|=driverslicense|=dl|=dln|dl#|license#|rijbewijs|rijbewijsnummer|carta de condução|prawo jazdy|prawa jazdy|körkort|водительское удостоверение|водительского удостоверения|водительские права|cnh|carteira de motorista|carteira nacional de habilitação|運転免許証|運転免許証番号|驾驶证|驾驶证号|驾驶证号码|운전면허|운전면허번호|운전면허증|ehliyet|permiso de conducir",
  birth:
    "born|birth|date of birth|birthdate|birthday|birth date|birth day|dob|d.o.b|birthdaydate|geboren|geburtsdatum|geb|né le|née le|date de naissance|fecha de nacimiento|nacido|nacida|nato il|nata il|data di nascita|geboortedatum|geburtstag|data de nascimento|nascido em|nascida em|født|född|urodzony|urodzona|data urodzenia|дата рождения|родился|родилась|день рождения|дня рождения|出生日期|出生年月日|生日|出生于|生年月日|誕生日|생년월일|생일|doğum tarihi|doğum günü|تاريخ الميلاد|تاريخ الولادة|născut|născută|data nașterii|datum narození|narozen|narozena|született|születési dátum|syntymäaika|födelsedatum|fødselsdato|γεννήθηκε|ημερομηνία γέννησης|дата народження|fecha nacimiento|data nascimento|date naissance|=fecha nac|=born on|=date birth|=data nascita|=nascita|=nascimento|=nacimiento|=naissance",
  bank: "bank account|bank account number|account number|account no|acct|acct no|acct number|acct#|account#|checking account|savings account|checking account number|savings account number|routing number|routing no|routing transit number|aba|aba number|aba routing|sort code|bsb|transit number|kontonummer|kontonr|konto nr|bankleitzahl|blz|numéro de compte|número de cuenta|numero de cuenta|número da conta|numero di conto|rekeningnummer|numer konta|nr konta|konto bankowe|rachunku bankowego|nr rachunku|расчетный счет|расчётный счет|расчётный счёт|номер счета|номер счёта|лицевой счет|银行卡号|银行账号|银行账户|银行帐号|账号|口座番号|계좌번호|hesap numarası|رقم الحساب|číslo účtu|bankszámlaszám|kontonumero|cuenta bancaria|cuenta corriente|conta corrente|conto corrente|compte bancaire|bank details|=accountnumber|=account num|=acctno|=routingnumber|=sortcode|=bankaccount",
  iban: "iban|international bank account number",
  address:
    "=address|=street|=street address|=streetaddress|=address line|=address line 1|=address line 2|=address1|=address2|=addr|=home address|=billing address|=shipping address|=mailing address|=postal address|=residential address|=delivery address|=street name|=street1|=street2|=line1|=line2|=full address|=formatted address|=residence",
  person:
    "=first name|=firstname|=last name|=lastname|=full name|=fullname|=middle name|=middlename|=surname|=given name|=givenname|=family name|=familyname|=maiden name|=maidenname|=customer name|=patient name|=passenger name|=client name|=employee name|=contact name|=cardholder|=cardholder name|=card holder|=card holder name|=account holder|=account holder name|=holder name|=recipient name|=beneficiary name|=guest name|=person name|=legal name|=display name of person|=mothers maiden name|=mother's maiden name|=fname|=lname|=payee name|=applicant name|=insured name|=vorname|=nachname|=familienname|=apellido|=apellidos|=primer apellido|=segundo apellido|=nombre completo|=prénom|=nom de famille|=cognome|=sobrenome|=nome completo|=voornaam|=achternaam|=imię|=nazwisko|=förnamn|=efternamn|=fornavn|=etternavn|=фамилия|=отчество|=фио|=姓名|=氏名|=성명|=soyadı|=jméno|=příjmení|=emergency contact name",
  postcode:
    "=zip|=zip code|=zipcode|=postal code|=postalcode|=postcode|=post code|=plz|=codigo postal|=code postal|=cap code",
  version:
    "version|versions|ver|v|release|build|rev|revision|section|chapter|clause|article|figure|table|firmware|oid|snmp|kernel|driver version|update|patch|node|python|chrome|firefox|safari|edge|upgrade|upgraded|§|isbn|issn|order|invoice|ticket|tracking|sku|serial|part|ref|reference|model",
  wallet:
    "wallet|ethereum|eth|ether|bitcoin|btc|crypto|metamask|=wallet address|wallet address|deposit address|withdrawal address|payout address|eth address|ethereum address|btc address|bitcoin address|crypto address|wallet addr|ens|usdt|usdc|erc20|token address|solana|sol|phantom|spl|mint address|pubkey|public key",
  code: "=pin|=pin code|=pincode|=card pin|=verification code|=security code|=one time code|=login code|=sms code|=auth code|=mfa code|=2fa code|=passcode|=puk|=puk code|=otp code|=totp code|=twofa code|=two factor code|=confirm code|=access code|=unlock code|=door code|=alarm code|=activation code|=reset code|=login pin|=pin number|=tan code|=tan number|=itan|=mtan|=geheimzahl|=sicherheitscode|=bestätigungscode|=zugangscode|=code pin|=code de vérification|=code vérification|=code de sécurité|=code sécurité|=código pin|=código verificación|=código de verificación|=código seguridad|=código de seguridad|=código de verificação|=código de segurança|=clave pin|=codice pin|=codice di verifica|=codice di sicurezza|=codice sicurezza|=verificatiecode|=pin kod|=csc",
  mac: "mac|mac address|mac addr|hardware address|ethernet address|bssid|=macaddress|=hwaddr|=wifi mac",
};
/** Names that hold a cue's word and mean something else. */
const NOT =
  "email address|e mail address|mail address|ip address|web address|url address|phone model|phone type|address type|card type|card brand|card network|call id|tool call|function call|tool calls|id card type|birth place|place of birth|birth city|birth country|address family|address id|phone id|card id|memory address|contract address|remote address|local address|server address|listen address|bind address|client address|host address|line1 id|remote addr|client addr|server addr|local addr|peer address|street view|tel aviv|cell type|cell id|cell count|table cell|phone calls|call stack|call site|text message id|card last4|passport type|passport status|passport country|visa type|national park|vat rate|tax rate|vat amount|portable document|version number|cell address|birthday party|birthday cake|birthday gift|birthday present";

const LONGEST_PHRASE = 4;

/** What phrases announce: in texts, and as names of members. */
interface Announcements {
  readonly text: ReadonlyMap<string, Cue>;
  readonly names: ReadonlyMap<string, Cue>;
}
/** null: not made yet */
let made: Announcements | null = null;
const announcements = (): Announcements => (made ??= learn());

/** words that a phrase ends with: most words of a text are none */
let lastWords: ReadonlySet<string> = new Set();
let ends: WordTable = createWordTable(lastWords);

/** Adds the words of a national number's family; the table of families calls it before the first look. */
export type FamilyWords = ReadonlyArray<readonly [id: string, words: string]>;
let familyWords: FamilyWords = [];
export function teachFamilies(words: FamilyWords): void {
  familyWords = words;
  made = null;
  remembered.clear();
}

function learn(): Announcements {
  const text = new Map<string, Cue>();
  const names = new Map<string, Cue>();
  const put = (map: Map<string, Cue>, written: string, kinds: number, family?: string): void => {
    const held = map.get(written) ?? NO_CUE;
    const families =
      family === undefined || held.families.includes(family) ? held.families : [...held.families, family];
    map.set(written, { kinds: held.kinds | kinds, families });
  };
  const add = (phrase: string, kinds: number, family?: string): void => {
    const onlyName = phrase.startsWith("=");
    const key = onlyName ? phrase.slice(1) : phrase;
    // keyboards, columns and code leave accents out
    const plain = ACCENTED.test(key) ? withoutAccents(key) : key;
    for (const written of plain === key || AMBIGUOUS.has(plain) ? [key] : [key, plain]) {
      put(names, written, kinds, family);
      // `passportnumber`, `DATEOFBIRTH`: names are also written in one word
      if (written.includes(" ") && written.length > SHORTEST_GLUED)
        put(names, written.replaceAll(" ", ""), kinds, family);
      if (!onlyName) put(text, written, kinds, family);
    }
  };
  for (const [kind, phrases] of Object.entries(PHRASES))
    for (const phrase of phrases.split("|")) add(phrase, CUE[kind as keyof typeof CUE]);
  for (const [family, words] of familyWords)
    for (const word of words.split("|")) if (word !== "") add(word, CUE.national, family);
  for (const phrase of NOT.split("|")) {
    text.set(phrase, NO_CUE);
    names.set(phrase, NO_CUE);
  }
  lastWords = new Set([...text.keys()].map((phrase) => phrase.slice(phrase.lastIndexOf(" ") + 1)));
  // what a name in code has in front or behind: `taxId`, `customerPhone`
  const heads = [...text]
    .filter(([, { kinds }]) => kinds !== CUE.version)
    .map(([phrase]) => phrase.split(" ", 1).join(""));
  ends = createWordTable(lastWords, new Set(heads.filter((head) => !COMMON_HEADS.has(head))));
  return { text, names };
}

/** Shorter ones are other words too: `cellno`, `idno`. */
const SHORTEST_GLUED = 6;
const COMMON_HEADS = new Set("id no my number call text contact".split(" "));
/** What has another meaning without its accents. */
const AMBIGUOUS = new Set(["numero", "ne le", "rc", "dic"]);

/** Of Latin letters only: in other scripts such marks make another letter. */
const ACCENTED = /[\u00c0-\u024f]/;
const withoutAccents = (phrase: string): string =>
  phrase.replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize("NFD").replace(/[\u0300-\u036f]/g, ""));

/** What the last announcing phrase among `words` says. */
function lastCue(words: readonly string[], map: ReadonlyMap<string, Cue>): Cue | null {
  for (let end = words.length; end > 0; end--) {
    if (!lastWords.has(words[end - 1] ?? "")) continue;
    for (let length = Math.min(LONGEST_PHRASE, end); length > 0; length--) {
      const phrase = length === 1 ? (words[end - 1] ?? "") : words.slice(end - length, end).join(" ");
      const cue = map.get(phrase);
      if (cue === undefined) continue;
      if (length === 1 && WEAK.has(phrase) && words.slice(end).some((word) => !BETWEEN.has(word))) break;
      // the words inside a longer phrase do not speak for themselves
      return withOuter(words, end, length, cue, map);
    }
  }
  return null;
}

/** `tax id` inside `vat tax id`, `number` behind `passport`: an overlapping longer phrase wins. */
function withOuter(
  words: readonly string[],
  end: number,
  length: number,
  cue: Cue,
  map: ReadonlyMap<string, Cue>,
): Cue {
  if (cue.families.length > 0 || end - length === 0) return cue;
  // a country or a scheme named just before: "Polish PESEL number", "Brazilian tax id (CPF)"
  const before = map.get(words[end - length - 1] ?? "");
  return before !== undefined && before.families.length > 0
    ? { kinds: cue.kinds | before.kinds, families: before.families }
    : cue;
}

/** A point or a quote at the end parts words: `{'cpf': '…'}`. */
const ENDS_WORD = /['.]+$/;
const CAMEL = /[a-z][A-Z]/;
/** What is counted or measured is not the thing that it is called after: `tel_count`, `cellWidth`. */
const MEASURE =
  /(?:^|[_a-z])(?:Count|Counts|Size|Width|Height|Length|Total|Index|Limit|Max|Min|Rate|Duration|Cost|Price)$/;
const MEASURES =
  /_(?:count|counts|size|width|height|length|total|index|idx|limit|max|min|rate|duration|ms|cost|price)$/i;
/** Whether a word of a text is a name in code, or has a sign at its end. */
function isCompound(word: string): boolean {
  let before = 0;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    if (unit === UNDERSCORE || (unit >= 65 && unit <= 90 && before >= 97 && before <= 122)) return true;
    before = unit;
  }
  return before === POINT || before === APOSTROPHE;
}

const [UNDERSCORE, POINT, APOSTROPHE] = [95, 46, 39];
const REMEMBERED = 1024;
const remembered = new Map<string, readonly string[]>();

/** The words that a name in code is made of; of one with capitals inside only if it announces something as a name. */
function parts(raw: string): readonly string[] {
  let found = remembered.get(raw);
  if (found === undefined) {
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(raw, (found = partsOf(raw.replace(ENDS_WORD, ""))));
  }
  return found;
}

function partsOf(word: string): readonly string[] {
  if (MEASURES.test(word) || (CAMEL.test(word) && MEASURE.test(word))) return [];
  if (!CAMEL.test(word)) return word.toLowerCase().split("_");
  const words = nameWords(word);
  return (cueOfName(words).kinds & ~CUE.version) === 0 ? [word.toLowerCase()] : words;
}
/** a bar or a semicolon parts phrases: it is a word that stands in none; letters of scripts without spaces join no others */
const WORD = /[A-Za-zªµºÀ-ÖØ-öø-\u1fff][A-Za-z0-9ªµºÀ-ÖØ-öø-\u1fff'#._]*|[\u3040-\ud7ff][0-9\u3040-\ud7ff'#._]*|[§|;]/g;

/** What the words in `text[from, to)` announce; null: nothing. There are no tokens in that stretch. */
export function cueIn(text: string, from: number, to: number): Cue | null {
  const { text: phrases } = announcements();
  if (!ends.mayHold(text, from, to)) return null;
  const raw = text.slice(from, to);
  const words = raw.match(WORD);
  if (words === null) return null;
  const isLower = raw === raw.toLowerCase();
  const single: string[] = [];
  for (const word of words) {
    if (isCompound(word)) single.push(...parts(word));
    else single.push(isLower ? word : word.toLowerCase());
  }
  return lastCue(single.some(isUnspaced) ? single.map(lastOfUnspaced) : single, phrases);
}

/** Chinese, Japanese and Korean put no space between words, or a particle behind them. */
const isUnspaced = (word: string): boolean => word.charCodeAt(word.length - 1) >= 0x3000;
const PARTICLE = /(?:[是为為はがの은는이가]|です|番号は)$/;
const [SHORTEST_UNSPACED, LONGEST_UNSPACED] = [2, 8];

/** The last word that announces something, of a sentence without spaces. */
function lastOfUnspaced(sentence: string): string {
  if (!isUnspaced(sentence) || lastWords.has(sentence)) return sentence;
  const end = PARTICLE.test(sentence) ? sentence.slice(0, -1) : sentence;
  for (let length = Math.min(LONGEST_UNSPACED, end.length); length >= SHORTEST_UNSPACED; length--)
    if (lastWords.has(end.slice(-length))) return end.slice(-length);
  return sentence;
}

/** What a member's name announces; its words are separated by case, dashes, points and the like. */
export function cueOfName(words: readonly string[]): Cue {
  const { names: map } = announcements();
  // `number`, `value` and the like say nothing and may stand last
  for (let end = words.length; end > 0; end--) {
    for (let length = Math.min(LONGEST_PHRASE, end); length > 0; length--) {
      const cue = map.get(words.slice(end - length, end).join(" "));
      if (cue !== undefined) return cue;
    }
    const last = words[end - 1] ?? "";
    // `phone2`, `phone_2`
    const bare = last.replace(/\d{1,2}$/, "");
    if (bare.length > 2 && bare !== last) return cueOfName([...words.slice(0, end - 1), bare]);
    if (bare !== "" && !FILL.has(last)) break;
  }
  return cueOfGlued(words.at(-1) ?? "", map);
}

/** What the end of a name in one word says: `customerssn`, `guestpassportnumber`. */
const GLUED =
  /(?:ssn|iban|passportn(?:umber|o|um|r)|cardn(?:umber|um)|account(?:number|no)|routingnumber|dateofbirth|birthdate|dob|taxid|nationalid|socialsecurity(?:number|no)?|licen[cs]en(?:umber|o)|aadhaar(?:number|no)?|steuernummer|steuerid|voterid|phonenumber|mobilenumber)$/;

function cueOfGlued(word: string, map: ReadonlyMap<string, Cue>): Cue {
  const end = word.length > SHORTEST_GLUED && word.length <= LONGEST_GLUED ? GLUED.exec(word) : null;
  if (end === null) return NO_CUE;
  const [ending] = end;
  return map.get(ending) ?? map.get(ending.replace(/n(?:umber|o|um|r)$/, "")) ?? NO_CUE;
}
const LONGEST_GLUED = 40;

/** The last words of the names that announce one of these kinds. */
export function wordsOfNames(kinds: number): string[] {
  return [...announcements().names]
    .filter(([, cue]) => (cue.kinds & kinds) !== 0)
    .map(([name]) => name.slice(name.lastIndexOf(" ") + 1));
}

/** Nouns that stand first, with what they belong to behind them: `cpf_cliente`, `telefono_contacto`. */
const HEADS = new Set(
  (
    "cpf cnpj pesel regon cuit cuil curp rfc dni nie nif cif siret siren bsn cnp egn oib jmbg emso ruc rut utr nino aadhaar " +
    "personnummer hetu kennitala snils nric mykad cnic telefono teléfono telefone telefon celular movil móvil"
  ).split(" "),
);

/** What the first word of a name announces, where the last ones say nothing. */
export function cueOfHead(words: readonly string[]): Cue {
  const [head = ""] = words;
  if (words.length < 2 || words.length > 4 || !HEADS.has(head) || MEASURES.test(`_${words.at(-1)}`)) return NO_CUE;
  return announcements().names.get(head) ?? NO_CUE;
}

/** These have other meanings too: they speak for a number that stands right behind them. */
const WEAK = new Set(
  "update upgrade upgraded patch node edge order invoice ticket reference ref part serial model section article table figure".split(
    " ",
  ),
);
const BETWEEN = new Set("number no nr num id code is was are now to from of the #".split(" "));

const FILL = new Set([
  "number",
  "numbers",
  "no",
  "num",
  "nr",
  "value",
  "code",
  "id",
  "raw",
  "text",
  "string",
  "primary",
  "home",
  "work",
  "e164",
  "full",
]);
