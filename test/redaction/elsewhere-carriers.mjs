// Values whose name stands somewhere else than right before them, or that are written in another way.
import { card, iban, ipv4, ipv6, mac, ssn } from "./numbers-made.mjs";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const WORD = `${LOWER}ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789`;
const CODES = [
  (v) => `Your verification code is ${v}. Do not share it.`,
  (v) => `${v} is your Acme code`,
  (v) => `OTP: ${v}`,
  (v) => `PIN: ${v}`,
  (v) => `one-time password: ${v}`,
  (v) => `Ihr Bestätigungscode lautet ${v}`,
  (v) => `Votre code de vérification est ${v}`,
  (v) => `tu código de verificación es ${v}`,
  (v) => `验证码：${v}`,
];
const ACCOUNTS = [
  (v) => `my bank account number is ${v}`,
  (v) => `Account No. ${v}`,
  (v) => `routing number: ${v}`,
  (v) => `Kontonummer: ${v}`,
  (v) => JSON.stringify({ account_number: v }),
];

/** `[class, text, value]` from one throw of the dice. */
export function elsewhereCarriers(dice) {
  const password = `${dice.from(LOWER, 5)}${dice.digits(2)}${dice.pick(["", "!", "#"])}`;
  const token = dice.from(WORD, 32);
  // digits alone, with no word of a payment beside them, are a class of their own
  const { value: paid } = card(dice, [" ", "-"]);
  const account = iban(dice);
  const social = ssn(dice);
  const rows = dice.between(3, 40);
  const filler = (separator) => Array.from({ length: rows }, (_, i) => `u${i}${separator}`).join("\n");
  const personal = dice.pick([paid, account, social, ipv4(dice), ipv6(dice), mac(dice)]);
  const escaped = encodeURIComponent(personal);
  const code = dice.digits(dice.pick([4, 6, 6, 8])).replace(/^0/, "7");
  const phone = `0${dice.between(151, 179)} ${dice.digits(8)}`;
  const local = dice.from(LOWER, 6);
  return [
    ["password, CSV", `user,password\nann,${password}\nbob,${password}x\n`, password],
    ["password, CSV far below", `user,password\n${filler(",")}\nbob,${password}\n`, password],
    ["password, CSV with quotes", `"user","password"\r\n"bo,b","${password}"\r\n`, password],
    ["password, semicolons", `id;user;password;note\n1;ann;${password};x y\n`, password],
    ["password, tabs", `user\tpassword\nann\t${password}\n`, password],
    ["password, bars", `| user | password |\n|---|---|\n| ann | ${password}9 |`, password],
    ["token, CSV", `service,api_key\nmail,${token}\n`, token],
    ["SSN, CSV far below", `name,ssn\n${filler(",")}\nann,${social.replaceAll("-", "")}\n`, social.replaceAll("-", "")],
    ["password, INSERT", `INSERT INTO users (id, name, password) VALUES (1, 'Ann', '${password}');`, password],
    ["password, second row", `insert into u (a, password) values ('x', 'y1'), ('z', '${password}')`, password],
    ["password, .pgpass", `db.example:5432:shop:ann:${password}\n`, password],
    ["personal, URL in a log", `INFO GET https://shop.example/a?q=${escaped}&page=2 200`, escaped],
    ["personal, URL in prose", `see https://shop.example/a?x=1&q=${escaped}, then`, escaped],
    ["code", dice.pick(CODES)(code), code],
    ["bank account", dice.pick(ACCOUNTS)(code.padEnd(9, "83142")), code.padEnd(9, "83142")],
    ["bearer, small letters", `use bearer ${token} now`, token],
    ["e-mail, words", `${local} (at) example (dot) org`, local],
    ["e-mail, words in brackets", `write to ${local}.x [at] mail.example [dot] org now`, local],
    ["phone, in brackets", `Update the record (${phone}) please`, phone],
  ];
}
