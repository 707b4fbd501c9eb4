import type { Hit } from "../../scan/hit.ts";
import { isSecretName } from "../../names/secret-name.ts";
import type { Area } from "../area.ts";
import { pairAt, rarestPair } from "../rarity.ts";
import { isCredential, kindsOf } from "./credential.ts";
import { isPlaceholder } from "./placeholder.ts";

/** A line of a protocol, of a configuration or of code in which the position of a value tells that it is secret. */
interface Line {
  /** what such a line holds; `find` begins there */
  readonly mark: string;
  /** offset in the mark of the second character of the pair at which the scan stops; default: of the rarest pair */
  readonly anchor?: number;
  /** Sticky; `value` is the secret, `name` what it is called where the line says so: then that name has to be secret. */
  readonly find: RegExp;
  /** in the text that `find` has matched: each secret, by the same two groups */
  readonly each?: RegExp;
  /** whether letters of three kinds are asked for, since people write such lines too */
  readonly strict?: boolean;
}

/** An argument, in quotes or alone: no plain word and no word in capitals, as manuals write it. */
const ARGUMENT = String.raw`(?![a-z]{1,16}(?:[\s|;&]|$)|[A-Z]+(?:[_-][A-Z0-9]+)*(?:[\s|;&]|$))["']?(?<value>[^\s"'|;&<>$/{-][^\s"'|;&<>]{4,255})`;
const NAME = String.raw`(?<name>[A-Za-z][\w.-]{2,63})`;
const QUOTED = String.raw`(?:"(?<value>[^"\n]{4,512})"|'(?<value2>[^'\n]{4,512})')`;
const sticky = (source: string, flags = ""): RegExp => new RegExp(source, `dy${flags}`);
const USER = String.raw`[\w.@+-]{2,64}`;
/** Words for a login, a colon and a user. After these, `user / password` holds a password. */
const LOGIN = String.raw`(?:[Ll]og-?[Ii]ns?|[Cc]red(?:ential)?s|[Zz]ugang(?:sdaten)?)\b[^\n:]{0,40}:[ \t]{0,3}${USER}`;

const LINES: readonly Line[] = [
  // configuration and protocol of Redis
  ...["requirepass", "masterauth"].map((mark) => ({ mark, find: sticky(String.raw`${mark}[ \t]+${ARGUMENT}`) })),
  { mark: "SETUSER ", find: sticky(String.raw`SETUSER [^\n]{1,200}?[ ]>(?<value>[^\s"']{5,256})`) },
  {
    mark: "AUTH ",
    find: sticky(String.raw`(?<=(?:^|\d> |C: ))AUTH[ ]+(?:[\w.-]{1,64}[ ]+)?${ARGUMENT}["']?[ \t]*\r?$`, "m"),
  },
  // FTP and POP3, behind the user; IMAP; services of IRC; SMTP
  {
    mark: "PASS ",
    find: sticky(
      String.raw`(?<=(?:USER [^\n]{1,128}|331[^\n]{0,128}|\+OK[^\n]{0,128})\r?\n[^\n]{0,6})PASS[ ]+${ARGUMENT}`,
    ),
  },
  {
    mark: " LOGIN ",
    find: sticky(
      String.raw`(?<=^(?:C: |> )?[A-Za-z]{0,4}\d{1,6}) LOGIN (?:"[^"\n]{1,128}"|[^\s"]{1,128}) ${ARGUMENT}`,
      "m",
    ),
  },
  { mark: "IDENTIFY ", find: sticky(String.raw`(?<=NickServ[ :]{1,3})IDENTIFY[ ]+(?:${USER}[ ]+)?${ARGUMENT}`) },
  { mark: "UGFzc3dvcmQ6", find: sticky(String.raw`UGFzc3dvcmQ6\r?\n(?:C: |> )?(?<value>[A-Za-z0-9+/]{4,256}={0,2})`) },
  // switches and routers; networks
  ...["password", "secret", "key"].flatMap((word) =>
    [..."05789"].map((kind) => ({
      mark: `${word} ${kind} `,
      anchor: word.length + 1,
      find: sticky(
        String.raw`(?<=^[ \t]*(?:enable |username [^\n]{1,100} |tacacs-server |radius-server |neighbor [^\n]{1,60} )?)${word} ${kind}[ ]+${ARGUMENT}`,
        "m",
      ),
    })),
  ),
  { mark: "snmp-server community", find: sticky(String.raw`snmp-server community[ ]+${ARGUMENT}`) },
  { mark: "Key Content", find: sticky(String.raw`Key Content[ \t]*:[ \t]*(?<value>[^\s][^\r\n]{3,62})`) },
  { mark: ": PSK ", find: sticky(String.raw`: PSK[ \t]+"(?<value>[^"\s]{4,256})"`) },
  // systems that are set up
  {
    mark: "chpasswd:",
    find: sticky(String.raw`chpasswd:[ \t]*\n(?:[ \t]+[^\n]{0,256}(?:\n|$)){1,24}`),
    each: /^[ \t]+[\w.-]{1,64}:(?<value>[^\s:]{4,128})[ \t]*$/dgm,
  },
  { mark: "/rp ", find: sticky(String.raw`(?<=schtasks[^\n]{0,400})/rp[ \t]+${ARGUMENT}`, "i") },
  {
    mark: "auth-user-pass>",
    find: sticky(String.raw`(?<=<)auth-user-pass>\r?\n[^\n]{1,128}\n(?<value>[^\r\n<]{4,128})`),
  },
  { mark: "userPassword:: ", find: sticky(String.raw`userPassword:: (?<value>[A-Za-z0-9+/]{4,400}={0,2})`) },
  {
    mark: "REG_",
    find: sticky(String.raw`(?<=^[ \t]*${NAME}[ \t]{2,})REG_(?:EXPAND_)?SZ[ \t]{2,}(?<value>\S[^\r\n]{3,256})`, "m"),
  },
  { mark: "<Value>", find: sticky(String.raw`(?<=<${NAME}>\s{0,64})<Value>(?<value>[^<>\n]{4,256})<`) },
  { mark: "lftp ", find: sticky(String.raw`lftp [^\n]{0,100}?-u[ ]+["']?[\w.@-]{1,64},(?<value>[^\s"']{4,128})`) },
  // what tools print and write
  {
    mark: "Value\n---",
    find: sticky(String.raw`(?<=^Key[ \t]+)Value\n-{3,}[^\n]{0,64}\n(?:[^\n]{1,600}(?:\n|$)){1,40}`, "m"),
    each: /^(?<name>[A-Za-z][\w.-]{1,63})[ \t]{2,}(?<value>[^\s][^\r\n]{2,511}?)[ \t]*$/dgm,
  },
  { mark: '";s:', anchor: 2, find: sticky(String.raw`(?<=s:\d{1,4}:"${NAME})";s:\d{1,5}:"(?<value>[^"\n]{4,512})"`) },
  {
    mark: "form-data; name=",
    find: sticky(
      String.raw`form-data; name="${NAME}"[^\n]{0,200}\n(?:[A-Za-z-]{2,40}:[^\n]{0,200}\n){0,4}\r?\n(?<value>[^\s]{4,512})`,
    ),
  },
  {
    mark: "Label=",
    find: sticky(String.raw`(?<=\b(?:cs|cn|flexString)\d)Label=${NAME} (?:cs|cn|flexString)\d=(?<value>[^\s|]{4,512})`),
  },
  {
    mark: "&quot;",
    find: sticky(
      String.raw`(?<=&quot;${NAME})&quot;\s{0,3}[:,=]\s{0,3}&quot;(?<value>(?:(?!&quot;)[^\s<>]){4,512})&quot;`,
    ),
  },
  ...["→", "⇒", "➜"].map((mark) => ({
    mark: ` ${mark}`,
    find: sticky(String.raw`(?<=${NAME}) ${mark}[ \t]{0,3}["'${"`"}]?(?<value>[^\s"'${"`"}<>]{6,256})`),
  })),
  {
    mark: "│ ",
    find: sticky(
      String.raw`(?<=│[ ]{1,40}${NAME}[ ]{1,40})│[ ]{1,40}(?!\w{2,16}\(\d)["']?(?<value>[^\s│"']{4,256})["']?[ ]{1,64}│`,
    ),
  },
  // headers that servers in front of others add; those with a scheme or with pairs are found by these
  ...["_set_header ", "add_header ", "equestHeader set ", "set-header "].map((mark) => ({
    mark,
    find: sticky(String.raw`${mark}(?!(?:Proxy-)?Authorization|(?:Set-)?Cookie)${NAME}[ \t]+${ARGUMENT}`),
  })),
  // languages whose assignments look otherwise
  { mark: "As String = ", find: sticky(String.raw`(?<=\b${NAME} )As String = ${QUOTED}`) },
  ...["db ", "VALUE "].map((mark) => ({
    mark,
    find: sticky(String.raw`(?<=^[ \t]*(?:\d\d[ ]+)?${NAME}[ \t]+(?:PIC[ ]+[^\s]{1,16}[ ]+)?)${mark}${QUOTED}`, "m"),
  })),
  { mark: ' . "', find: sticky(String.raw`(?<=\([*:"]{0,2}${NAME}[*"]{0,2}) \. ${QUOTED}`) },
  ...["(def ", "(define ", "(defvar ", "(defconst ", "(defparameter "].map((mark) => ({
    mark,
    anchor: 1,
    find: sticky(String.raw`\(\w+ {1,3}\*?${NAME}\*?[ ]+${QUOTED}`),
  })),
  ...["setq ", "setf "].map((mark) => ({
    mark,
    find: sticky(String.raw`(?<=\()${mark}[ ]{0,3}\*?${NAME}\*?[ ]+${QUOTED}`),
  })),
  { mark: '<<"', find: sticky(String.raw`(?<=\{${NAME}, ?)<<${QUOTED}>>`) },
  { mark: "command{", find: sticky(String.raw`command\{\\${NAME}\}\{(?<value>[^{}\n\\]{4,256})\}`) },
  {
    mark: "Credentials(",
    find: sticky(String.raw`Credentials\((?:\s{0,3}"[^"\n]{0,128}",){2,3}\s{0,3}${QUOTED}\s{0,3}\)`),
  },
  // how people hand on a login
  {
    mark: " / ",
    find: sticky(String.raw`(?<=${LOGIN}) / (?<value>[^\s"'<>/]{8,64})(?=[\s.,;!?)]|$)`),
    strict: true,
  },
  {
    mark: "pass ",
    find: sticky(String.raw`(?<=\b[Uu]ser(?:name)?[ :=]{1,3}${USER}[ ,;/]{1,3})pass[ ]+(?<value>[^\s"'<>]{8,64})`),
    strict: true,
  },
];

/** Lines by the pair at which the scan stops for them, with the offset of its second character in their marks. */
const groups: { line: Line; offset: number; first: number }[][] = [[]];
const groupOfPair = new Uint8Array(1 << 16);
for (const line of LINES) {
  const offset = line.anchor ?? rarestPair(line.mark);
  const pair = pairAt(line.mark, offset);
  if (groupOfPair[pair] === 0) groupOfPair[pair] = groups.push([]) - 1;
  groups[groupOfPair[pair] ?? 0]?.push({ line, offset, first: line.mark.charCodeAt(0) });
}

export const LINE_STOPS: readonly string[] = LINES.map(({ mark, anchor }) => {
  const offset = anchor ?? rarestPair(mark);
  return mark.slice(offset - 1, offset + 1);
});

/** Secrets of lines of known forms; the second character of a mark's rarest pair stands at `at`. */
export function knownLine(text: string, at: number, area: Area): Hit[] | null {
  let hits: Hit[] | null = null;
  for (const { line, offset, first } of groups[groupOfPair[pairAt(text, at)] ?? 0] ?? []) {
    const start = at - offset;
    if (start < area.from || text.charCodeAt(start) !== first || !text.startsWith(line.mark, start)) continue;
    const found = secretsAt(text, start, line, area);
    if (found.length > 0) hits = hits === null ? found : [...hits, ...found];
  }
  return hits;
}

function secretsAt(text: string, start: number, line: Line, { to }: Area): Hit[] {
  line.find.lastIndex = start;
  const found = line.find.exec(text);
  if (found === null || line.find.lastIndex > to) return [];
  const isBlock = line.each !== undefined;
  const all = line.each === undefined ? [found] : [...found[0].matchAll(line.each)];
  return all.flatMap((each) => secretOf(each, isBlock ? start : 0, line.strict === true) ?? []);
}

function secretOf({ groups, indices }: RegExpExecArray, from: number, strict: boolean): Hit | null {
  const key = groups?.["value"] === undefined ? "value2" : "value";
  const value = groups?.[key] ?? "";
  const span = indices?.groups?.[key];
  if (span === undefined || !isSecret(value, groups?.["name"], strict)) return null;
  return { start: from + span[0], end: from + span[1], type: "AUTH", rule: "auth.assignment" };
}

function isSecret(value: string, name: string | undefined, strict: boolean): boolean {
  if (isPlaceholder(value) || (strict && !(kindsOf(value) >= 3 && isCredential(value, true)))) return false;
  return name === undefined || (isSecretName(name) && (isCredential(value, true) || isShortPassword(value)));
}

const isShortPassword = (value: string): boolean => value.length < 8 && kindsOf(value) >= 3;
