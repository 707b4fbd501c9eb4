// Where personal values stand, and how they are written. Made from national number plans and the formats' own
// documentation, with values from a seed; nothing is copied from anywhere. Licence: that of this repository.
import { card, iban, ipv4, ipv6, mac, ssn } from "./numbers-made.mjs";

const JSON_TYPE = "application/json";

/** National forms: `d` is a digit, `n` one from 2 to 9; the rest stands for itself. */
const PHONES =
  "(ndd) ndd-dddd|ndd-ndd-dddd|ndd.ndd.dddd|+1 ndd ndd dddd|1-ndd-ndd-dddd|1 (ndd) ndd-dddd|ndd ndd dddd|(ndd)ndd-dddd|+44 7ddd dddddd|07ddd dddddd|07ddd ddd ddd|020 7ddd dddd|0161 ddd dddd|(0161) ddd dddd|+44 (0)20 7ddd dddd|0044 20 7ddd dddd|+49 30 dddddddd|030 dddddddd|030/dddddddd|0171-ddddddd|+49 (0) 171 ddddddd|0049 171 ddddddd|(030) dddd dddd|01 dd dd dd dd|06.dd.dd.dd.dd|+33 6 dd dd dd dd|06-dd-dd-dd-dd|+33(0)1 dd dd dd dd|+34 6dd ddd ddd|+39 3dd ddd dddd|06 dddddddd|+31 6 dddddddd|06-dddddddd|020-ddddddd|+91 9dddd ddddd|+91-9ddddddddd|(11) 9dddd-dddd|+55 11 9dddd-dddd|11 9dddd-dddd|+86 138 dddd dddd|138-dddd-dddd|138 dddd dddd|010-dddddddd|+81 3-dddd-dddd|03-dddd-dddd|090-dddd-dddd|+61 4dd ddd ddd|04dd ddd ddd|(02) 9ddd dddd|+52 55 dddd dddd|+7 (9dd) ddd-dd-dd|8 (9dd) ddd-dd-dd|8-9dd-ddd-dd-dd|+41 44 ddd dd dd|044 ddd dd dd|+46 70 ddd dd dd|070-ddd dd dd|+48 5dd ddd ddd|+65 9ddd dddd|+27 82 ddd dddd|082 ddd dddd|+82 10-dddd-dddd|010-dddd-dddd|+90 532 ddd dd dd|0532 ddd dd dd|+972 52-ddd-dddd|052-ddddddd|+971 50 ddd dddd|+43 664 ddddddd|0664/ddddddd".split(
    "|",
  );
const PHONE_LABELS =
  "Phone|Tel.|Mobile no|Fax|WhatsApp|contact number|phone#|Telefon|Telefonnummer|Handynummer|Rufnummer|téléphone|teléfono|telefone|celular|móvil|telefono|telefoon|телефон|手机|电话|電話|전화".split(
    "|",
  );
const BIRTH =
  "DOB:|date of birth:|born on|Geburtsdatum:|geboren am|né le|date de naissance :|fecha de nacimiento:|nacido el|data di nascita:|nato il|data de nascimento:|geboortedatum:|D.O.B.|birthday is|дата рождения:|出生日期：".split(
    "|",
  );
const PASSPORT =
  "Passport number:|passport no.|Passport #|Reisepass-Nr.:|passeport n°|pasaporte:|numero di passaporto|paspoortnummer".split(
    "|",
  );
const LICENCE =
  "Driver's license:|driving licence number|DL#|Führerschein:|permis de conduire|licencia de conducir:|patente di guida".split(
    "|",
  );
const SHORT_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const MONTHS = [..."March July October".split(" "), "März", "juillet", "mars", "mayo", "luglio", "dezembro"];

const fill = (dice, form) =>
  form.replace(/[dn]/g, (kind) => (kind === "d" ? dice.digits(1) : String(dice.between(2, 9))));
const four = (digits, separator) => digits.match(/.{1,4}/g).join(separator);

function birthDay(dice) {
  const [day, month, year] = [dice.between(1, 28), dice.between(1, 12), dice.between(1940, 2009)];
  return dice.pick([
    `${day}/${month}/${year}`,
    `${day}.${month}.${year}`,
    `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`,
    `${dice.pick(["March", "July"])} ${day}, ${year}`,
    `${day} ${dice.pick(SHORT_MONTHS)} ${year}`,
    `${day} ${dice.pick(MONTHS)} ${year}`,
  ]);
}

/** `[class, text, value, content type]` from one throw of the dice. */
export function personalCarriers(dice) {
  const phone = fill(dice, dice.pick(PHONES));
  const digits = phone.replace(/\D/g, "");
  const label = dice.pick(PHONE_LABELS);
  const paid = card(dice).bare;
  const grouped = (separator) =>
    paid.length === 15 ? [paid.slice(0, 4), paid.slice(4, 10), paid.slice(10)].join(separator) : four(paid, separator);
  const account = iban(dice).replaceAll(" ", "");
  const [v4, v6, hardware] = [ipv4(dice), ipv6(dice), mac(dice)];
  const bare = hardware.replace(/[^0-9A-Fa-f]/g, "");
  const mail = `${dice.pick(["anna", "j.smith", "bob_99", "o'hara", "jürgen"])}@${dice.pick(["example.com", "firma.de", "müller.de", "bücher.example"])}`;
  const social = ssn(dice).replace(/\D/g, "");
  const born = birthDay(dice);
  const pass = dice.pick([
    `${dice.letters(1)}${dice.digits(8)}`,
    dice.digits(9),
    `${dice.letters(2)}${dice.digits(7)}`,
  ]);
  const licence = dice.pick([
    `${dice.letters(1)}${dice.digits(7)}`,
    `${dice.letters(1)}${dice.digits(3)}-${dice.digits(4)}-${dice.digits(4)}`,
  ]);
  const cards =
    paid.length < 15 || paid.length > 16
      ? []
      : [
          ["card", `pay with ${paid} please`, paid],
          ...[" ", "-", ".", "\u00a0"].map((separator) => [
            `card, ${JSON.stringify(separator)}`,
            `card no ${grouped(separator)}`,
            grouped(separator),
          ]),
          ["card, first track", `%B${paid}^DOE/JOHN^2512101${dice.digits(10)}?`, paid],
          ["card, second track", `;${paid}=2512101${dice.digits(10)}?`, paid],
          ["card, CSV", `John,${paid},12/27`, paid],
        ];
  return [
    ["phone, called", `Call me at ${phone} tomorrow.`, phone],
    ["phone, in prose", `Please look at ${phone} and reply`, phone],
    ["phone, JSON", JSON.stringify({ phone }), phone, JSON_TYPE],
    ["phone, digits", `${label}: ${digits}`, digits],
    ["phone, digits in JSON", JSON.stringify({ mobile: digits }), digits, JSON_TYPE],
    ...cards,
    ["IBAN", `transfer to ${account} now`, account],
    ["IBAN, groups", `IBAN: ${four(account, " ")}`, four(account, " ")],
    ["IBAN, dashes", `IBAN ${four(account, "-")}`, four(account, "-")],
    ["IBAN, small letters", `iban ${account.toLowerCase()}`, account.toLowerCase()],
    ["IBAN, glued to its name", `IBAN${account}`, account],
    ["IPv4 and port", `connect ${v4}:8080`, v4],
    ["IPv4, one machine", `allow ${v4}/32;`, v4],
    ["IPv4, log", `${v4} - - [10/Oct/2000:13:55:36 -0700] "GET /"`, v4],
    ["IPv6, brackets", `http://[${v6}]:8080/x`, v6],
    ["IPv6, zone", `ping ${v6}%eth0`, v6],
    ["IPv6, prose", `host ${v6} is down`, v6],
    ["MAC", `seen ${hardware} today`, hardware],
    [
      "MAC, announced",
      `MAC address: ${/\d/.test(bare) ? bare : "00aa11bb22cc"}`,
      /\d/.test(bare) ? bare : "00aa11bb22cc",
    ],
    ["e-mail, brackets", `Anna <${mail}>`, mail],
    ["e-mail, link", `<a href="mailto:${mail}">x</a>`, mail],
    ["e-mail, capitals", `MAIL ${mail.toUpperCase()}`, mail.toUpperCase()],
    [
      "SSN",
      `his ${social.slice(0, 3)}-${social.slice(3, 5)}-${social.slice(5)} is`,
      `${social.slice(0, 3)}-${social.slice(3, 5)}-${social.slice(5)}`,
    ],
    ["SSN, announced", `social security number is ${social}`, social],
    ["birth", `${dice.pick(BIRTH)} ${born}`, born],
    ["passport", `${dice.pick(PASSPORT)} ${pass}`, pass],
    ["licence", `${dice.pick(LICENCE)} ${licence}`, licence],
  ];
}
