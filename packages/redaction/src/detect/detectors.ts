import { PROVIDER_KEYS } from "../policy/provider-keys.ts";
import { NATIONAL_RULES } from "./national/family-rules.ts";
import { isDigit, isSpace } from "./character.ts";
import { type Detector, detector } from "./detector.ts";
import { atSignEmail, escapedEmail } from "./email.ts";
import { namedSetting } from "./named-setting.ts";
import { colonAddressAt, dashedMac, isHex } from "./numbers/ip-address.ts";
import { numbers } from "./numbers/number.ts";
import { assignment, quotedPair } from "./secrets/assignment.ts";
import { authorization, bareScheme } from "./secrets/authorization.ts";
import { callArgument } from "./secrets/call-argument.ts";
import { commandPassword } from "./secrets/command-password.ts";
import { curlUser } from "./secrets/curl-user.ts";
import { FOREIGN_PAIRS, foreignPassword } from "./secrets/foreign-password.ts";
import { jwtAt } from "./secrets/jwt.ts";
import { knownLine, LINE_STOPS } from "./secrets/known-line.ts";
import { optionValue, variableValue } from "./secrets/option-value.ts";
import { passwordHash } from "./secrets/password-hash.ts";
import { cutKeyAt, keyAt, sshKeyAt } from "./secrets/pem.ts";
import { pipedPassword } from "./secrets/piped-password.ts";
import { KEY_STOPS, providerKey } from "./secrets/provider-key.ts";
import { spokenKey } from "./secrets/spoken-key.ts";
import { spokenPassword } from "./secrets/spoken-password.ts";
import { appToken, mailgunKey } from "./secrets/unmarked-key.ts";
import { sourcePassword, urlUserInfo } from "./secrets/url-credentials.ts";
import { writtenEmail } from "./written-email.ts";
import { xmlElement } from "./xml-element.ts";

const KEYS = PROVIDER_KEYS.map(([id]) => `key.${id}`);
const WALLETS = "base58 bech32 ethereum ripple monero stellar solana cash algorand substrate"
  .split(" ")
  .map((kind) => `wallet.${kind}`);
const NUMBER_RULES =
  "card iban bank-account ssn passport licence phone.international phone.national ip.v4 mac birth-date address auth.code key.wallet-private".split(
    " ",
  );
const NAMED = ["card", "iban", "bank-account", "ssn", "id.named", "passport", "licence", "birth-date"];
const QUOTES_BEHIND = (sign: string): string[] => [`${sign}"`, `${sign}'`];

/** Its pairs are those of the values that a scanner is given. */
export const KNOWN_VALUE: Detector = detector({
  name: "known value",
  finds: "values of environment variables with secret names, and of `sensitive(…)`",
  validator: "exact match",
  rules: ["known"],
  stops: [],
  wide: true,
  reach: Infinity,
  find: (text, at, { from, to, hits, known }) => {
    known.find(text, at, from, to, hits);
    return null;
  },
});

/**
 * Each detector hangs on pairs of neighbouring characters that are rare in prose; the scan stops at the second one and
 * asks the detectors of the pair in this order.
 */
export const DETECTORS: readonly Detector[] = [
  KNOWN_VALUE,
  detector({
    name: "number",
    finds: "everything written with digits, around the first digit of a run: a phrase of groups is read once, whole",
    validator: "shape, issuer range, check digits (Luhn, mod 97, base58, stdnum), or words of announcement beside it",
    rules: [...NUMBER_RULES, ...WALLETS, ...NATIONAL_RULES],
    stops: [{ at: "0123456789", behind: (unit) => !isDigit(unit) }],
    reach: 256,
    find: (text, at, area) => {
      if (at >= area.numberTo) numbers(text, at, area);
      return null;
    },
  }),
  detector({
    name: "provider key",
    finds: "keys and tokens by their mark, as the table of KEY lists them",
    validator: "mark, alphabet, length, boundary and entropy",
    rules: KEYS,
    stops: KEY_STOPS,
    reach: 4096,
    find: (text, at, { from, to }) => providerKey(text, at, from, to),
  }),
  detector({
    name: "piped password",
    finds: "`echo … | sudo -S`, `echo user:… | chpasswd`, `--password-stdin`",
    validator: "a program that reads a password behind the bar; 5 characters, no placeholder",
    rules: ["auth.assignment"],
    stops: [{ at: "|", behind: isSpace }, "||"],
    reach: 512,
    group: "sign",
    find: pipedPassword,
  }),
  detector({
    name: "colon address",
    finds: "IPv6 addresses, hardware addresses with colons",
    validator: "groups and their number; no mask, no host of this machine",
    rules: ["ip.v6", "mac"],
    stops: [{ at: ":" }],
    reach: 96,
    group: "sign",
    find: colonAddressAt,
  }),
  detector({
    name: "URL user info",
    finds: "`scheme://user:password@host`",
    validator: "an `@` before the path; no template, no actor of a cluster",
    rules: ["auth.url"],
    stops: [{ at: ":" }],
    reach: 512,
    group: "sign",
    find: urlUserInfo,
  }),
  detector({
    name: "assignment",
    finds: '`NAME=…`, `name: …`, `"name": "…"`, `?name=…`, cells behind a name, `a ?? \'…\'`',
    validator: "a secret name (word by word); the value is a credential and no expression of code",
    rules: ["auth.assignment", "auth.name", "pem"],
    stops: [{ at: "=:" }, { at: "|", behind: isSpace }, "||", "??"],
    wide: true,
    reach: 1024,
    group: "sign",
    find: assignment,
  }),
  detector({
    name: "named setting",
    finds: '`CUSTOMER_SSN=…`, `"cpf": "…"`, `passport_number: …`',
    validator: "a name that says what number stands there; its length, four digits",
    rules: NAMED,
    stops: [{ at: "=:" }],
    wide: true,
    reach: 160,
    group: "sign",
    find: namedSetting,
  }),
  detector({
    name: "e-mail address",
    finds: "`local@domain`",
    validator: "a top-level label that ends no file or unit; no process at its host",
    rules: ["email"],
    stops: [{ at: "@" }],
    reach: 320,
    group: "at sign",
    find: atSignEmail,
  }),
  detector({
    name: "source password",
    finds: "`user:password@tcp(…)` of Go, `user/password@` of Oracle",
    validator: "the driver's words beside it",
    rules: ["auth.url"],
    stops: [{ at: "@" }],
    reach: 256,
    group: "at sign",
    find: sourcePassword,
  }),
  detector({
    name: "password hash",
    finds: "hashes of bcrypt, crypt and argon2",
    validator: "mark, cost, lengths of salt and digest",
    rules: ["auth.hash"],
    stops: ["$1", "$2", "$5", "$6", "$7", "$a", "$g", "$y"],
    reach: 256,
    find: passwordHash,
  }),
  detector({
    name: "call argument",
    finds: '`setPassword("…")`, `auth=("user", "…")`, `getByLabel("Password").fill("…")`',
    validator: "a secret name before the bracket that asks for nothing; the value is a credential",
    rules: ["auth.assignment"],
    stops: QUOTES_BEHIND("("),
    reach: 1024,
    find: (text, at, area) => (text.charCodeAt(at - 1) === 40 ? callArgument(text, at, area) : null),
  }),
  detector({
    name: "written e-mail address",
    finds: "`jane (at) example (dot) com`",
    validator: "brackets around the words, a top-level label",
    rules: ["email"],
    stops: ["t)", "T)", "t]", "T]", "t}", "T}"],
    reach: 448,
    find: writtenEmail,
  }),
  detector({
    name: "XML element",
    finds: "`<password>…</password>`, a cell behind a secret label, elements named as numbers or persons",
    validator: "as for an assignment, or for a named setting",
    rules: ["auth.assignment", "person", ...NAMED],
    stops: ["</"],
    reach: 1024,
    find: xmlElement,
  }),
  detector({
    name: "Facebook app token",
    finds: "id of an app, bar, secret",
    validator: "lengths, both cases, entropy",
    rules: ["key.facebook-app"],
    stops: [{ at: "|", behind: isDigit }],
    reach: 48,
    find: appToken,
  }),
  detector({
    name: "pair of quoted texts",
    finds: "`define('DB_PASSWORD', '…')`, `set(\"api_key\", \"…\")`",
    validator: "as for an assignment",
    rules: ["auth.assignment"],
    stops: ['",', "',"],
    reach: 640,
    find: quotedPair,
  }),
  detector({
    name: "SSH2 key block",
    finds: "private keys that begin with `---- BEGIN`",
    validator: "as for a key block",
    rules: ["pem"],
    stops: ["N "],
    reach: 32 * 1024,
    find: sshKeyAt,
  }),
  detector({
    name: "variable value",
    finds: "`ENV DB_PASSWORD …`, `set -x API_TOKEN …`, `IDENTIFIED BY …`",
    validator: "a secret name in capitals with an underscore; the value is a credential",
    rules: ["auth.assignment"],
    stops: ["Y ", "E ", "N ", "D ", "T ", "S ", "W ", "K "],
    reach: 640,
    find: variableValue,
  }),
  detector({
    name: "spoken key",
    finds: "`the API key is …`, `my token …`, `configure set aws_secret_access_key …`, the line below a label",
    validator: "what the key is for before it, or a copula; three kinds of characters or entropy",
    rules: ["auth.assignment"],
    stops: ["ke", "Ke", "KE", "cr", "CR"],
    reach: 768,
    find: spokenKey,
  }),
  detector({
    name: "JWT",
    finds: "JSON Web Tokens of three or five parts",
    validator: "the header decodes to an object with `alg`, `enc` or `typ`",
    rules: ["jwt"],
    stops: ["yJ"],
    reach: Infinity,
    find: jwtAt,
  }),
  detector({
    name: "authorization",
    finds: "what follows the word authorization and a known scheme",
    validator: "the value is a credential, or the scheme has a list of named values",
    rules: ["auth.scheme"],
    stops: ["za", "zA", "Za", "ZA"],
    reach: 4096,
    find: authorization,
  }),
  detector({
    name: "spoken password",
    finds: "`the password is …`, `--password …`, `login … password …`, the line below a label",
    validator: "a copula or an option; three kinds of characters, or a word with a number behind it",
    rules: ["auth.assignment"],
    stops: ["sw", "sW", "SW", "wd", "WD", "nw", "pw", "PW", "Pw"],
    reach: 320,
    find: spokenPassword,
  }),
  detector({
    name: "bare scheme",
    finds: "`Bearer …`, `Basic …` that nothing names",
    validator: "16 characters with letters and digits, or base64 of a user and a password",
    rules: ["auth.scheme"],
    stops: ["Be", "BE", "Ba", "BA"],
    reach: 4096,
    find: bareScheme,
  }),
  detector({
    name: "foreign password",
    finds: "what follows contraseña, senha, mot de passe, пароль, 密码, パスワード, 비밀번호",
    validator: "three kinds of characters",
    rules: ["auth.assignment"],
    stops: FOREIGN_PAIRS,
    wide: true,
    reach: 128,
    find: foreignPassword,
  }),
  detector({
    name: "escaped e-mail address",
    finds: "`local%40domain`",
    validator: "as for an e-mail address",
    rules: ["email"],
    stops: ["%4"],
    reach: 320,
    find: escapedEmail,
  }),
  detector({
    name: "curl user",
    finds: "`curl -u user:password`, `-sSuuser:password`, `--user`, `--proxy-user`",
    validator: "the word curl before it; no placeholder",
    rules: ["auth.curl"],
    stops: ["-u", "su", "Su", "ku", "Lu"],
    reach: 2304,
    find: curlUser,
  }),
  detector({
    name: "command password",
    finds:
      "`mysql -p…`, `sshpass -p`, `redis-cli -a`, `ldapsearch -w`, `curl -b`, `ssh-keygen -N`, `openssl enc -k`, `keytool -storepass`, `ConvertTo-SecureString`",
    validator: "a program before it that takes a password behind this option",
    rules: ["auth.assignment"],
    stops: ["-p", "-a", "-w", "-b", "-c", "-P", "-A", "-X", "-U", "-s", "-k", "-S", "-N"],
    reach: 3072,
    find: commandPassword,
  }),
  detector({
    name: "option value",
    finds: "`--api-key …`, `secret set NAME --body …`",
    validator: "a secret name; the value is a credential, no option, path or address",
    rules: ["auth.assignment"],
    stops: ["--"],
    reach: 768,
    find: optionValue,
  }),
  detector({
    name: "key block",
    finds: "private keys in PEM, PGP and SSH armour, also behind prefixes of lines",
    validator: "a header that names a private key; lines of base64",
    rules: ["pem"],
    stops: ["-B"],
    reach: 32 * 1024,
    find: keyAt,
  }),
  detector({
    name: "key block without its beginning",
    finds: "lines of base64 above the end of a private key",
    validator: "as for a key block",
    rules: ["pem"],
    stops: ["-E"],
    reach: 32 * 1024,
    find: cutKeyAt,
  }),
  detector({
    name: "known line",
    finds:
      'secrets by their place in lines of protocols, configurations, dumps and code, as `requirepass …` or `{password, <<"…">>}`',
    validator: "the form of the line; a secret name where the line has one; no plain word, no placeholder",
    rules: ["auth.assignment"],
    stops: LINE_STOPS,
    wide: true,
    reach: 32 * 1024,
    find: knownLine,
  }),
  detector({
    name: "Mailgun key",
    finds: "32, 8 and 8 hexadecimal digits",
    validator: "lengths and boundaries",
    rules: ["key.mailgun-api"],
    stops: [{ at: "-", behind: isHex }],
    reach: 64,
    group: "dash",
    find: mailgunKey,
  }),
  detector({
    name: "dashed hardware address",
    finds: "`00-1A-2B-3C-4D-5E`",
    validator: "six pairs that are not all alike",
    rules: ["mac"],
    stops: [{ at: "-", behind: isHex }],
    reach: 24,
    group: "dash",
    find: (text, at, { from, to }) => dashedMac(text, at, from, to),
  }),
];
