import type { Cell } from "./table-cells.ts";

/** A format in which the position alone tells what a value is. `mark`: a text without it holds none. */
interface Format {
  readonly mark: string;
  readonly find: RegExp;
  /** by the number of the group: the name that its value is read under */
  readonly names: readonly string[];
}

/** An argument, in quotes or alone. */
const ARG = String.raw`(?:"[^"\n]{1,256}"|'[^'\n]{1,256}'|[^\s"'|;&<>$-][^\s"'|;&<>]{0,255})`;
/** Not a plain word, nor one in capitals that stands for the password in a manual. */
const SECRET_ARG = String.raw`(?![a-z]{1,16}(?:[\s|;&]|$)|[A-Z]+(?:[_-][A-Z]+)*(?:[\s|;&]|$))(?:"([^"\n$]{5,256})"|'([^'\n]{5,256})'|([^\s"'|;&<>$/{-][^\s"'|;&<>]{4,255}))(?=[\s|;&]|$)`;
const SECRETS = ["password", "password", "password"];
const command = (mark: string, before: string): Format => ({
  mark,
  find: new RegExp(`${before}[ \\t]+${SECRET_ARG}`, "dg"),
  names: SECRETS,
});
/** Base64 of the first bytes of private keys in DER: PKCS #8 of RSA, EC and Edwards curves, PKCS #1, SEC 1. */
const DER_HEADS: readonly [mark: string, head: string][] = [
  ["IBADANBgkqhkiG9w0BAQEF", "MII[A-Za-z0-9+/]{2}[A-Za-z0-9+/]?IBADANBgkqhkiG9w0BAQEF"],
  ["AgEAMBMGByqGSM49AgEG", "M[A-Za-z0-9+/]{1,8}AgEAMBMGByqGSM49AgEG"],
  ["AgEAMBAGByqGSM49AgEG", "M[A-Za-z0-9+/]{1,8}AgEAMBAGByqGSM49AgEG"],
  ["MC4CAQAwBQYDK2V", "MC4CAQAwBQYDK2V"],
  ["MII", "MII[A-Za-z0-9+/]{2}[A-Za-z0-9+/]?IBAAKC"],
  ["AgEBBC", "M[A-Za-z0-9+/]{2,4}AgEBBC"],
  ["MHcCAQEE", "MHcCAQEE"],
];
const DER = DER_HEADS.map(([mark, head]): Format => ({
  mark,
  find: new RegExp(`(?<![A-Za-z0-9+/=])(${head}[A-Za-z0-9+/]{38,8192}={0,2})(?![A-Za-z0-9+/=])`, "dg"),
  names: ["password"],
}));

const IN_BASE64 =
  /(?<![\w-])(?!\w*PUB)(?:[A-Z][A-Z0-9_]{0,40}_)?(?:(?:SIGNING|MASTER|ENCRYPTION|PRIVATE|SECRET|API|ACCESS|HMAC|SESSION|ROOT)_KEY|SECRET|TOKEN|PASSWORD|PASSPHRASE|CREDENTIALS?)_(?:B64|BASE64)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([A-Za-z0-9+/_-]{16,4096}={0,2})(?![A-Za-z0-9+/_=-])/dg;

const FORMATS: readonly Format[] = [
  command(
    "htpasswd",
    String.raw`\bhtpasswd[ \t]+(?:-[A-Za-z]{1,8}[ \t]+){0,6}?-[A-Za-z]{0,4}b[A-Za-z]{0,4}[ \t]+(?:-[A-Za-z]{1,8}[ \t]+){0,6}${ARG}[ \t]+${ARG}`,
  ),
  command(
    "rabbitmqctl",
    String.raw`\brabbitmqctl[ \t]+(?:-[^\s]{1,64}[ \t]+){0,6}(?:add_user|change_password|authenticate_user)[ \t]+${ARG}`,
  ),
  command("net use", String.raw`\bnet use[ \t]+(?:[A-Za-z*]:?[ \t]+)?\\\\[^\s]{1,256}`),
  command(
    " alias set",
    String.raw`\b(?:mc|mcli)[ \t]+(?:--[^\s]{1,64}[ \t]+){0,6}alias set[ \t]+${ARG}[ \t]+https?://[^\s]{1,256}[ \t]+${ARG}`,
  ),
  // user, number, LM and NT hash, as secretsdump prints them
  {
    mark: ":::",
    find: /^[^\s:]{1,256}:\d{1,10}:([0-9a-f]{32}):([0-9a-f]{32}):::/dgm,
    names: ["password_hash", "password_hash"],
  },
  // a JWK in YAML: private members below `kty`
  {
    mark: "kty:",
    find: /(?<=^[ \t-]{0,32}kty:[^\n]{0,64}\n(?:[ \t]{1,32}[^\s][^\n]{0,1100}\n){0,10}?)[ \t]{1,32}(?:d|p|q|dp|dq|qi|k):[ \t]*["']?([\w-]{42,1024})["']?[ \t]*$/dgm,
    names: ["password"],
  },
  // settings whose name says that the secret is written in base64
  ...["B64", "BASE64"].map((mark) => ({ mark, find: IN_BASE64, names: ["password"] })),
  ...DER,
  // HL7, version 2: name, date of birth, street and city, social security number of a patient
  {
    mark: "PID|",
    find: /(?:^|\r|\n)PID\|(?:[^|\r\n]*\|){4}([^|^\r\n]+)?(?:\^([^|^\r\n]+))?[^|\r\n]*\|[^|\r\n]*\|(\d{8})?/dg,
    names: ["last_name", "first_name", "date_of_birth"],
  },
  {
    mark: "PID|",
    find: /(?:^|\r|\n)PID\|(?:[^|\r\n]*\|){10}([^|^\r\n]+)?\^[^|^\r\n]*\^[^|^\r\n]*\^[^|^\r\n]*\^([^|^\r\n]+)?/dg,
    names: ["street_address", "postal_code"],
  },
  { mark: "PID|", find: /(?:^|\r|\n)PID\|(?:[^|\r\n]*\|){18}([^|^\r\n]+)/dg, names: ["ssn"] },
  // vCard
  { mark: "BEGIN:VCARD", find: /^(?:\w+\.)?BDAY[^:\n]{0,64}:([\d-]{8,10})/dgm, names: ["date_of_birth"] },
  { mark: "BEGIN:VCARD", find: /^(?:\w+\.)?FN[^:\n]{0,64}:([^\r\n]{2,100})/dgm, names: ["full_name"] },
  {
    mark: "BEGIN:VCARD",
    find: /^(?:\w+\.)?N(?:;[^:\n]{0,64})?:([^;\r\n]{1,100});([^;\r\n]{1,100})/dgm,
    names: ["last_name", "first_name"],
  },
  {
    mark: "BEGIN:VCARD",
    find: /^(?:\w+\.)?ADR[^:\n]{0,64}:[^;\n]*;[^;\n]*;([^;\n]{1,100});[^;\n]*;[^;\n]*;([^;\r\n]{2,12})?/dgm,
    names: ["street_address", "postal_code"],
  },
  { mark: "wa.me/", find: /\bwa\.me\/\+?(\d{8,15})(?!\d)/dg, names: ["phone"] },
];

const IN_ONE_LINE = /htpasswd|rabbitmqctl|net use| alias set|:::|PID\||wa\.me\//;

/** Whether a text of one line, without runs of base64, may hold such a value. */
export const mayHoldFormat = (line: string): boolean => IN_ONE_LINE.test(line);

/** Values in lines of known formats: commands, dumps of hashes, keys in DER, messages of HL7, cards of persons. */
export function* formatCells(text: string): Generator<Cell> {
  for (const { mark, find, names } of FORMATS) {
    if (!text.includes(mark)) continue;
    for (const { indices } of text.matchAll(find))
      for (const [i, name] of names.entries()) {
        const [start, end] = indices?.[i + 1] ?? [0, 0];
        if (end > start) yield { start, end, name, quoted: true, kind: "values" };
      }
  }
}
