// Values that somebody would not want to see in a record, drawn anew for each seed. `planted(seed)` makes them and keeps count.
import { generateKeyPairSync } from "node:crypto";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const MIXED = LOWER + UPPER + DIGITS;
const SYLLABLES = "bran dov kel mir tav zun quo rish vel gast nem hurl pyt wex jol sarn fid lomb ost yev".split(" ");

export function planted(seed) {
  let state = seed >>> 0;
  const draw = (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
  const from = (alphabet, length) => Array.from({ length }, () => alphabet[draw(alphabet.length)]).join("");
  const digits = (length) => `${1 + draw(9)}${from(DIGITS, length - 1)}`;
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  const drawnWords = new Set();
  /** A word that was not drawn before: a name that the rules claim is then in no value that they do not claim. */
  const word = () => {
    for (;;) {
      const drawn = Array.from({ length: 3 }, () => SYLLABLES[draw(SYLLABLES.length)]).join("");
      if (drawnWords.has(drawn)) continue;
      drawnWords.add(drawn);
      return drawn;
    }
  };
  const two = (n) => String(n).padStart(2, "0");
  const values = [];
  let trade = "";
  /** `as`: how the value is written; what is looked for are its own characters */
  const plant = (what, value, parts = [value]) => {
    for (const part of parts) values.push({ trade, what, value: part });
    return value;
  };
  const luhn = (body) => {
    let sum = 0;
    for (let i = 0; i < body.length; i++) {
      let n = Number(body[body.length - 1 - i]);
      if (i % 2 === 0) n = n * 2 > 9 ? n * 2 - 9 : n * 2;
      sum += n;
    }
    return body + ((10 - (sum % 10)) % 10);
  };
  const mod97 = (text) => [...text].reduce((rest, c) => Number(`${rest}${Number.parseInt(c, 36)}`) % 97, 0);
  const iban = (country, bban) => country + two(98 - mod97(`${bban}${country}00`)) + bban;
  const groups = (text, size, by) => text.match(new RegExp(`.{1,${size}}`, "g")).join(by);
  /** A number of a country as one dials it there, without the zero: areas and lengths that are given out. */
  const national = (code) => {
    const area = () => `${2 + draw(7)}${1 + draw(8)}${2 + draw(8)}`.replace(/11$/, "12");
    switch (code) {
      case "1":
        return `${area()}${area()}${digits(4)}`;
      case "33":
        return `6${digits(8)}`;
      case "34":
        return `6${digits(8)}`;
      case "39":
        return `3${2 + draw(7)}${digits(8)}`;
      case "41":
        return `79${digits(7)}`;
      case "43":
        return `664${digits(7)}`;
      case "44":
        return `7${4 + draw(5)}${digits(8)}`;
      case "52":
        return `55${digits(8)}`;
      default:
        return `15${1 + draw(7)}${digits(8)}`;
    }
  };
  /** With one digit twice, and the check digit of the tax office. */
  const taxId = () => {
    for (;;) {
      const body = digits(10);
      const counts = Object.values(Object.groupBy(body, (digit) => digit)).map(({ length }) => length);
      if (counts.length !== 9 || Math.max(...counts) !== 2) continue;
      let rest = 10;
      for (const digit of body) rest = (((Number(digit) + rest) % 10 || 10) * 2) % 11;
      return `${body}${(11 - rest) % 10}`;
    }
  };
  const password = () => `${capital(word())}${digits(2)}${"!#?*"[draw(4)]}`;
  const drawn = (length, alphabet = MIXED) => `${from(alphabet, length - 3)}${digits(1)}${from(LOWER, 1)}${digits(1)}`;

  return {
    values,
    at(name) {
      trade = name;
    },
    /** characters that are nobody's: order numbers and the like */
    number: digits,
    word,
    name: () => plant("name under its member", capital(word())),
    email: (host = "posteo.example") => plant("email", `${word()}.${word()}@${host}`),
    phone: {
      international: (code = "49") => plant("phone", `+${code} ${national(code).replace(/^(..?.?)(.{3})/, "$1 $2 ")}`),
      e164: (code = "44") => plant("phone", `+${code}${national(code)}`),
      us: () => plant("phone", national("1").replace(/(...)(...)(....)/, "($1) $2-$3")),
      dashed: () => plant("phone", national("1").replace(/(...)(...)(....)/, "$1-$2-$3")),
      german: () => plant("phone", `01${national("49").slice(1).replace(/^(..)/, "$1 ")}`),
      of: (code) => plant("phone", `${code}${national(code)}`),
    },
    card: (by = " ") => {
      const whole = luhn(`4${from(DIGITS, 14)}`);
      return plant("card", by === "" ? whole : groups(whole, 4, by));
    },
    amex: () => {
      const whole = luhn(`37${from(DIGITS, 12)}`);
      return plant("card", `${whole.slice(0, 4)} ${whole.slice(4, 10)} ${whole.slice(10)}`);
    },
    iban: (spaced = false) => {
      const whole = iban("DE", digits(18));
      return plant("iban", spaced ? groups(whole, 4, " ") : whole);
    },
    ibanGb: () => plant("iban", iban("GB", `${from(UPPER, 4)}${digits(14)}`)),
    ssn: () => plant("ssn", `${two(10 + draw(80))}${1 + draw(9)}-${two(10 + draw(89))}-${digits(4)}`),
    number_: (what, length) => plant(what, digits(length)),
    taxId: () => plant("tax id", taxId()),
    passport: () => plant("passport", `${from("CFGHJK", 1)}${digits(8)}`),
    born: () => plant("birth date", `19${30 + draw(69)}-${two(1 + draw(12))}-${two(1 + draw(28))}`),
    bornDe: () => plant("birth date", `${two(1 + draw(28))}.${two(1 + draw(12))}.19${30 + draw(69)}`),
    bornUs: () => plant("birth date", `${two(1 + draw(12))}/${two(1 + draw(28))}/19${30 + draw(69)}`),
    street: () => plant("address", `${10 + draw(980)} ${capital(word())} Street`),
    strasse: () => plant("address", `${capital(word())}straße ${10 + draw(180)}`),
    ip: () => plant("ip", `${81 + draw(40)}.${100 + draw(150)}.${100 + draw(150)}.${100 + draw(150)}`),
    mac: () =>
      plant("mac", Array.from({ length: 6 }, (_, i) => (i === 0 ? "3c" : from("0123456789abcdef", 2))).join(":")),
    password: () => plant("password", password()),
    weak: () => plant("password", `${word()}${digits(2)}`),
    secret: (length = 32) => plant("secret", drawn(length)),
    hex: (length = 32) => plant("secret", drawn(length, "0123456789abcdef").replace(/[g-z]/g, "f")),
    otp: () => plant("one-time code", digits(6)),
    github: () => plant("key", `ghp_${drawn(36)}`),
    aws: () => plant("key", `AKIA${from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 15)}7`),
    awsSecret: () => plant("key", drawn(40)),
    openai: () => plant("key", `sk-proj-${drawn(48)}`),
    anthropic: () => plant("key", `sk-ant-api03-${from(`${MIXED}_-`, 92)}4AA`),
    stripe: () => plant("key", `sk_live_${drawn(24)}`),
    slack: () => plant("key", `xoxb-${digits(12)}-${digits(12)}-${drawn(24)}`),
    sendgrid: () => plant("key", `SG.${drawn(22)}.${drawn(43)}`),
    twilio: () => plant("key", `SK${drawn(32, "0123456789abcdef").replace(/[g-z]/g, "a")}`),
    google: () => plant("key", `AIza${drawn(35)}`),
    npm: () => plant("key", `npm_${drawn(36)}`),
    gitlab: () => plant("key", `glpat-${drawn(20)}`),
    whsec: () => plant("key", `whsec_${drawn(32)}`),
    jwt: () => {
      const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const [claims, signature] = [
        part({ sub: `${word()}@posteo.example`, role: "admin", exp: 1_900_000_000 }),
        drawn(43),
      ];
      return plant("jwt", `${part({ alg: "HS256", typ: "JWT" })}.${claims}.${signature}`, [claims, signature]);
    },
    pem: () => {
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const text = privateKey.export({ type: "pkcs8", format: "pem" });
      return plant("private key", text, [text.split("\n")[2]]);
    },
    unclaimed: (what, value) => {
      values.push({ trade, what: `not claimed: ${what}`, value });
      return value;
    },
    person: () => {
      const value = `${capital(word())} ${capital(word())}`;
      values.push({ trade, what: "not claimed: name in prose", value });
      return value;
    },
  };
}
