// Labelled sets: for each class, texts with a value that must go (`positive`) and texts that must stay (`negative`).
import { readFileSync } from "node:fs";
import { CHECKED_IDS, SHAPED_IDS } from "./national-ids.mjs";
import { altered, alteredWallet, card, iban, ipv4, ipv6, mac, ssn, wallet } from "./numbers-made.mjs";
import { fromTemplate, samplePattern } from "./sample-pattern.mjs";

const read = (name) =>
  readFileSync(new URL(`./corpora/${name}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const AROUND = [
  (v) => v,
  (v) => `It is ${v}.`,
  (v) => `Please check ${v} and tell me what you find`,
  (v) => `("${v}")`,
  (v) => `a=1\nvalue: ${v}\nb=2`,
  (v) => `<li>${v}</li>`,
  (v) => `| name | ${v} | 3 |`,
  (v) => `${v}, then the rest of the message`,
];

const NAMES = ["anna", "j.smith", "maria-luisa", "o'brien", "x_y", "info", "li.wei", "bob99", "Ünal", "kim+news"];
const HOSTS = [
  "example.com",
  "mail.example.co.uk",
  "acme-corp.io",
  "uni-graz.at",
  "sub.domain.example.org",
  "xn--bcher-kva.example",
  "company.technology",
];
const email = (dice) => `${dice.pick(NAMES)}${dice.pick(["", dice.digits(2)])}@${dice.pick(HOSTS)}`;
const notEmail = (dice) =>
  dice.pick([
    () => `${dice.pick(NAMES)}@localhost`,
    () => `@${dice.pick(NAMES)}`,
    () => `icon@2x.png`,
    () => `user at ${dice.pick(HOSTS)}`,
    () => `pkg@${dice.between(1, 9)}.${dice.between(0, 9)}.0`,
    () => `git@github.com:a/b.git`,
    () => `@scope/name`,
    () => `${dice.pick(NAMES)}@`,
    () => `a @ b.com`,
    () => `${dice.pick(NAMES)}@host`,
  ])();

const PHONES = [
  (d) => `+1 ${d.between(201, 989)} ${d.between(200, 999)} ${d.digits(4)}`,
  (d) => `+1-${d.between(201, 989)}-${d.between(200, 999)}-${d.digits(4)}`,
  (d) => `+1 (${d.between(201, 989)}) ${d.between(200, 999)}-${d.digits(4)}`,
  (d) => `+1${d.between(201, 989)}${d.between(200, 999)}${d.digits(4)}`,
  (d) => `(${d.between(201, 989)}) ${d.between(200, 999)}-${d.digits(4)}`,
  (d) => `${d.between(201, 989)}-${d.between(200, 999)}-${d.digits(4)}`,
  (d) => `${d.between(201, 989)}.${d.between(200, 999)}.${d.digits(4)}`,
  (d) => `+44 20 7${d.digits(3)} ${d.digits(4)}`,
  (d) => `+44 7${d.digits(3)} ${d.digits(6)}`,
  (d) => `020 7${d.digits(3)} ${d.digits(4)}`,
  (d) => `07${d.digits(3)} ${d.digits(6)}`,
  (d) => `+49 ${d.pick([30, 40, 89, 221])} ${d.between(100_000, 99_999_999)}`,
  (d) => `+49 (0) 30 ${d.between(100_000, 9_999_999)}`,
  (d) => `0${d.pick([30, 40, 89, 221])} ${d.between(1_000_000, 9_999_999)}`,
  (d) => `+33 ${d.between(1, 9)} ${Array.from({ length: 4 }, () => d.digits(2)).join(" ")}`,
  (d) => `0${d.between(1, 9)} ${Array.from({ length: 4 }, () => d.digits(2)).join(" ")}`,
  (d) => `+39 3${d.digits(2)} ${d.digits(7)}`,
  (d) => `+34 6${d.digits(2)} ${d.digits(3)} ${d.digits(3)}`,
  (d) => `+55 11 9${d.digits(4)}-${d.digits(4)}`,
  (d) => `+91 ${d.between(70_000, 99_999)} ${d.digits(5)}`,
  (d) => `+81 ${d.pick([3, 6])}-${d.digits(4)}-${d.digits(4)}`,
  (d) => `+86 13${d.digits(9)}`,
  (d) => `+61 4${d.digits(2)} ${d.digits(3)} ${d.digits(3)}`,
  (d) => `+41 79 ${d.digits(3)} ${d.digits(2)} ${d.digits(2)}`,
  (d) => `0049 30 ${d.between(100_000, 9_999_999)}`,
  (d) => `tel: ${d.between(201, 989)}${d.between(200, 999)}${d.digits(4)}`,
  (d) => `call me at ${d.between(2_000_000, 9_999_999)}`,
  (d) => `mobile 6${d.digits(8)}`,
];
const NO_PHONES = [
  (d) => `+${d.between(1, 99)} points`,
  (d) => `${d.digits(3)}-${d.digits(2)}`,
  (d) => `UTC+0${d.between(1, 9)}00`,
  (d) => `${d.between(100, 999)},${d.digits(3)},${d.digits(3)}`,
  (d) => `${d.between(1, 9)}.${d.digits(9)}`,
  (d) => `20${d.between(10, 29)}-0${d.between(1, 9)}-1${d.digits(1)} 10:${d.between(10, 59)}`,
  (d) => `order ${d.digits(10)}`,
  (d) => `${d.digits(5)}-${d.digits(4)}`,
  (d) => `+${d.digits(3)}`,
  (d) => `page ${d.between(1, 999)}-${d.between(1, 999)}`,
  (d) => `0x${d.hex(8)}`,
  (d) => `ISBN 978-3-${d.digits(4)}-${d.digits(4)}-${d.digits(1)}`,
  (d) => `${d.between(1, 28)}.0${d.between(1, 9)}.20${d.between(10, 29)}`,
  (d) => `+999 ${d.digits(3)} ${d.digits(4)}`,
  (d) => `1${d.digits(9)}`,
  (d) => `v${d.digits(1)}.${d.digits(2)}.${d.digits(3)}`,
  (d) => `${d.digits(12)}`,
  (d) => `$${d.digits(3)}.${d.digits(2)}`,
  (d) => `${d.digits(3)} ${d.digits(3)} files`,
  (d) => `lat 48.${d.digits(6)}, lon 16.${d.digits(6)}`,
];

const PAYMENTS = [
  (v) => `my card is ${v}`,
  (v) => `Charge ${v} please`,
  (v) => `pay with ${v} today`,
  (v) => `${v} exp 09/27, cvv 123`,
  (v) => `Visa ${v}`,
  (v) => `cc: ${v}`,
  (v) => `Anna,${v},11/28`,
  (v) => `Kreditkarte ${v}`,
  (v) => `the credit card number is ${v}.`,
  (v) => JSON.stringify({ card_number: v }),
  (v) => JSON.stringify({ card: { number: v } }),
];
/** What stands under the name of a number and is none. */
const NO_NUMBERS = [
  () => "unknown",
  () => "pending",
  () => "n/a",
  () => "yes",
  () => "***",
  (d) => `${d.digits(2)} left`,
  (d) => `20${d.digits(2)}-0${d.between(1, 9)}-1${d.digits(1)}`,
  (d) => `${d.digits(1)}.${d.digits(6)}`,
];
const NOT_PAID = [
  (v) => `see ${v} there`,
  (v) => v,
  (v) => JSON.stringify({ value: v }),
  (v) => `blk_${v} was moved`,
  (v) => `row ${v}, size 12`,
  (v) => `order ${v} shipped`,
  (v) => `[${v}] started`,
  (v) => `a,${v},b`,
];

/** `[class, floor of recall, ceiling of altered negatives, (dice) => { positive: [text, value], negative: text }]` */
const put = (dice, value) => [dice.pick(AROUND)(value), value];

export const CLASSES = [
  ["email", 0.97, 0.05, (d) => ({ positive: put(d, email(d)), negative: put(d, notEmail(d))[0] })],
  [
    "card",
    0.97,
    0.05,
    (d) => {
      const { value, bare } = card(d);
      // digits alone are a card where something says so
      const text = value === bare ? d.pick(PAYMENTS)(value) : put(d, value)[0];
      return { positive: [text, value], negative: put(d, altered(value, d))[0] };
    },
  ],
  [
    "card, digits of anything",
    0,
    0.001,
    (d) => {
      const value = d.pick([() => card(d).bare, () => d.pick("123456789") + d.digits(15)])();
      return { positive: [value, value], negative: d.pick(NOT_PAID)(value) };
    },
  ],
  [
    "iban",
    0.97,
    0.05,
    (d) => {
      const value = iban(d);
      return { positive: put(d, value), negative: put(d, altered(value, d))[0] };
    },
  ],
  [
    "ip",
    0.97,
    0.05,
    (d) => {
      const value = d.pick([ipv4, ipv6])(d);
      const negative = d.pick([
        () => `${d.between(256, 999)}.${d.digits(2)}.1.1`,
        () => `2001:db8:${d.hex(4)}:zz:1`,
        () => `version ${d.between(1, 20)}.${d.between(0, 20)}.${d.between(0, 20)}.${d.between(0, 20)}`,
        () => `1.3.6.1.4.1.${d.digits(4)}`,
        () => `${d.between(1, 9)}.${d.between(1, 99)}.${d.between(1, 99)}`,
        () => `10:${d.between(10, 59)}:${d.between(10, 59)}`,
        () => `Chrome/${d.between(90, 130)}.0.0.0`,
        () => `std::vec::${d.pick(["Vec", "face", "add"])}`,
      ])();
      return { positive: put(d, value), negative: put(d, negative)[0] };
    },
  ],
  [
    "mac",
    0.97,
    0.05,
    (d) => {
      const value = mac(d);
      return {
        positive: put(d, value),
        negative: put(
          d,
          d.pick([
            value.slice(0, -3),
            `${value}${value[2]}${d.hex(2)}`,
            value.replace(/.$/, "g"),
            `12:30:${d.between(10, 59)}`,
          ]),
        )[0],
      };
    },
  ],
  [
    "ssn",
    0.97,
    0.05,
    (d) => {
      const value = ssn(d);
      const negative = d.pick([
        `000-${d.digits(2)}-${d.digits(4)}`,
        `666-${d.digits(2)}-${d.digits(4)}`,
        `9${d.digits(2)}-${d.digits(2)}-${d.digits(4)}`,
        `${value.slice(0, 3)}-00-${d.digits(4)}`,
        `${value.slice(0, 6)}-0000`,
        d.digits(9),
        `${d.digits(4)}-${d.digits(2)}-${d.digits(2)}`,
      ]);
      return { positive: put(d, value), negative: put(d, negative)[0] };
    },
  ],
  [
    "wallet",
    0.97,
    0.05,
    (d) => {
      const value = wallet(d);
      return { positive: put(d, value), negative: put(d, alteredWallet(value, d))[0] };
    },
  ],
  [
    "phone",
    0.85,
    0.15,
    (d) => {
      const value = d.pick(PHONES)(d);
      const core = /[+(\d].*$/.exec(value)[0];
      return { positive: [d.pick(AROUND)(value), core], negative: put(d, d.pick(NO_PHONES)(d))[0] };
    },
  ],
  [
    "national id, in text",
    0.9,
    0.08,
    (d) => {
      const [words, make] = d.pick([...CHECKED_IDS, ...SHAPED_IDS]);
      const value = make(d);
      const say = d.pick([
        (v) => `My ${words} is ${v}.`,
        (v) => `${words}: ${v}`,
        (v) => `${words} ${v}, please`,
        (v) => `the ${words} number is ${v}`,
      ]);
      const [other, checked] = d.pick(CHECKED_IDS);
      return { positive: [say(value), value], negative: `${other}: ${altered(checked(d), d)}` };
    },
  ],
  [
    "national id, by key",
    0.9,
    0.08,
    (d) => {
      const [words, make] = d.pick(CHECKED_IDS);
      const name = d.pick([
        words.replace(/ /g, "_"),
        words.toLowerCase().replace(/ /g, "_"),
        `customer_${words.toLowerCase().replace(/ /g, "_")}`,
      ]);
      const value = make(d);
      return {
        positive: [JSON.stringify({ [name]: value }), value],
        negative: JSON.stringify({ [name]: d.pick(NO_NUMBERS)(d) }),
      };
    },
  ],
  [
    "national id, distinctive",
    0.9,
    0.08,
    (d) => {
      const [, make] = d.pick(
        CHECKED_IDS.filter(([words]) =>
          ["DNI", "NIE", "RUT", "RRN", "AHV", "henkilötunnus", "personnummer", "rijksregisternummer"].includes(words),
        ),
      );
      const value = make(d);
      return { positive: put(d, value), negative: put(d, altered(value, d))[0] };
    },
  ],
  [
    "provider keys, described formats",
    0.9,
    0.1,
    (d) => {
      const template = d.pick(TEMPLATES);
      const value = fromTemplate(d, template);
      const mark = template.replace(/\{.*$/, "");
      return {
        positive: put(d, value).with(1, value.replace(/^https:\/\/[a-z.]+\/(?:services|api\/webhooks)\//, "")),
        negative: put(d, d.pick([`${mark}xxxxxxxxxxxxxxxxxxxx`, `${mark}`, `<${mark}>`, `${mark}your-key-here`]))[0],
      };
    },
  ],
  [
    "provider keys, published patterns",
    0.9,
    0.1,
    (d) => {
      const value = samplePattern(d.pick(PATTERNS).pattern, d.next);
      const name = d.pick(["", "key ", "API_KEY=", '"token": "']);
      const prefix = value.slice(0, 8);
      return {
        positive: [name === "" ? d.pick(AROUND)(value) : name + value + (name.endsWith('"') ? '"' : ""), value],
        negative: put(
          d,
          d.pick([
            `${prefix}-xxxxxxxxxxxxxxxxxxxxxxxx`,
            value.slice(0, 6),
            `<${prefix}>`,
            `your-${prefix.slice(0, 8)}-key`,
          ]),
        )[0],
      };
    },
  ],
];

const PATTERNS = read("key-patterns.jsonl");
/** Formats as providers describe them; `{w36}` stands for 36 letters and digits. */
const TEMPLATES = readFileSync(new URL("./corpora/key-templates.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

/** Secrets and what looks like them, from gitleaks. */
export const secrets = () => read("secrets.jsonl");

/** Sentences with personal values and their places, from presidio-research. */
export const sentences = () => read("sentences.jsonl");
