// Values under names that say what they are, mistyped on purpose: a digit or a letter is another one, the letters are
// small, the separators differ. Written from the numbers' own descriptions. Licence: that of this repository.
import { CHECKED_IDS } from "./national-ids.mjs";
import { altered, card, iban, ssn } from "./numbers-made.mjs";

const fill = (dice, form) =>
  form.replace(/[dAa]/g, (kind) =>
    kind === "d" ? dice.digits(1) : kind === "A" ? dice.letters(1) : dice.letters(1).toLowerCase(),
  );
const made =
  (...forms) =>
  (dice) =>
    fill(dice, dice.pick(forms));

/** `[names, maker]`; names in snake case, the others are made of them. */
const NAMED = [
  ["ssn|social_security_number|customer_ssn|employee_ssn", (d) => altered(ssn(d), d)],
  ["steuernummer", made("dd/ddd/ddddd", "ddd/dddd/dddd", "ddddddddddd")],
  ["steuer_id|tax_id|tax_number|tin", made("ddddddddddd", "dd ddd ddd ddd", "dd-ddddddd")],
  ["voter_id|voter_id_number|epic_number", made("AAAddddddd", "aaaddddddd")],
  ["rrn|resident_registration_number", made("dddddd-ddddddd", "ddddddddddddd")],
  ["aadhaar|aadhaar_number", made("dddd dddd dddd", "dddddddddddd")],
  ["cpf|cpf_number|customer_cpf", made("ddd.ddd.ddd-dd", "ddddddddddd")],
  ["cnpj", made("dd.ddd.ddd/dddd-dd", "dddddddddddddd")],
  ["nino|national_insurance_number", made("aaddddddA", "AA dd dd dd A", "aa dd dd dd a")],
  ["passport_number|passport_no|passport", made("Adddddddd", "aaddddddd", "ddddddddd")],
  ["drivers_license|driver_license_number|driving_licence_number", made("Addddddd", "addd-dddd-dddd", "dddddddd")],
  ["national_id|national_id_number|identity_number|id_card_number", made("dddddddddd", "AAddddddd", "aadddddd")],
  ["iban|iban_number", (d) => altered(iban(d).toLowerCase(), d)],
  ["card_number|credit_card|credit_card_number|cc_number", (d) => altered(card(d).value, d)],
  ["date_of_birth|dob|birth_date|birthday", made("dd/dd/19dd", "19dd-dd-dd", "dd.dd.19dd", "19dddddd", "d Mai 19dd")],
  ["account_number|bank_account_number|routing_number", made("dddddddd", "dddddddddd", "ddddddddd")],
  ["curp", made("AAAAddddddAAAAAAdd", "aaaaddddddaaaaaadd")],
  ["pan_card|pan", made("AAAAAddddA", "aaaaadddda")],
  ["codice_fiscale", made("AAAAAAddAddAdddA", "aaaaaaddaddaddda")],
  ["my_number|individual_number", made("dddd dddd dddd", "dddddddddddd")],
  ["nric", made("Adddddddd", "addddddda")],
  ["medicare_number|nhs_number", made("ddd ddd dddd", "dddddddddd")],
];

const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const STYLES = [
  (name) => name,
  camel,
  (name) => name.replaceAll("_", "-"),
  (name) => name.toUpperCase(),
  (name) => `customer_${name}`,
  (name) => `applicant${camel(`_${name}`)}`,
];
const JSON_TYPE = "application/json";

/** Where a name and its value stand together. */
const CARRIERS = [
  (name, value) => [JSON.stringify({ [name]: value }), JSON_TYPE],
  (name, value) => [JSON.stringify({ a: [{ b: { [name]: value } }] }), JSON_TYPE],
  (name, value) => [JSON.stringify([{ name, value }]), JSON_TYPE],
  (name, value) => [
    `${encodeURIComponent(name)}=${encodeURIComponent(value)}&x=1`,
    "application/x-www-form-urlencoded",
  ],
  (name, value) => [`id,${name},note\n1,${value},ok\n`],
  (name, value) => [`id,${name},note\n1,"${value}",ok\n`],
  (name, value) => [`{'${name}': '${value}', 'x': 1}`],
  (name, value) => [`create(x=1, ${name}="${value}")`],
  (name, value) => [`The arguments were {"${name}": "${value}"} and it failed.`],
  (name, value) => [`<r><${name}>${value}</${name}></r>`],
];

/** `[class, text, value, content type]` from one throw of the dice. */
export function namedValues(dice) {
  const rows = NAMED.map(([names, make]) => [dice.pick(names.split("|")), make(dice), names.split("|")[0]]);
  for (const [words, make] of FAMILIES) rows.push([words.toLowerCase(), altered(make(dice), dice), words]);
  return rows.flatMap(([name, value, kind]) =>
    STYLES.map((style) => {
      const [text, mime] = dice.pick(CARRIERS)(style(name), value);
      return [`named: ${kind}`, text, text.includes(value) ? value : encodeURIComponent(value), mime];
    }),
  );
}

/** Families whose name is one word of ASCII. */
const FAMILIES = CHECKED_IDS.filter(([words]) => /^[A-Za-z]+$/.test(words));
