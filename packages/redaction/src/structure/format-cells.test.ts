import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 1) });
const scrubbed = (text: string): string => scrubber.scrub(text).text;

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ed = generateKeyPairSync("ed25519");
const jwk = ec.privateKey.export({ format: "jwk" });
const der = (key: typeof ec.privateKey, type: "pkcs8" | "pkcs1" | "sec1"): string =>
  key.export({ type: type as "pkcs8", format: "der" }).toString("base64");
const PID =
  "PID|1||PATID1234^5^M11||JONES^WILLIAM^A^III||19610615|M||C|1200 N ELM STREET^^GREENSBORO^NC^27401-1020|GL|||||||536-22-8726|987654^NC";
const CARD =
  "BEGIN:VCARD\nVERSION:3.0\nN:Gump;Forrest;;Mr.;\nFN:Forrest Gump\nBDAY:1985-04-12\nADR;TYPE=WORK:;;100 Waters Edge;Baytown;LA;30314;USA\nEND:VCARD";
const LM = "aad3b435b51404eeaad3b435b51404ee";
const NT = "8846f7eaee8fb117ad06bdd830b7586c";

test.each<[text: string, values: readonly string[]]>([
  ["htpasswd -b /etc/nginx/.htpasswd alice Tr0ub4dor3x", ["Tr0ub4dor3x"]],
  ["$ htpasswd -cb users.txt alice 'Tr0ub4dor 3x'\nAdding password for user alice", ["Tr0ub4dor 3x"]],
  ["rabbitmqctl add_user svc Tr0ub4dor3x && rabbitmqctl change_password svc Zebra-77-x", ["Tr0ub4dor3x", "Zebra-77-x"]],
  ["net use \\\\fileserver\\c$ Tr0ub4dor3x /user:CORP\\svc", ["Tr0ub4dor3x"]],
  ["net use Z: \\\\fileserver\\share Tr0ub4dor3x", ["Tr0ub4dor3x"]],
  ["mc alias set prod https://minio.corp.test svcuser Tr0ub4dor3xqqWW", ["Tr0ub4dor3xqqWW"]],
  [`Administrator:500:${LM}:${NT}:::\nCORP\\bob:1105:${LM}:${NT}:::`, [LM, NT]],
  [`keys:\n  - kty: EC\n    crv: P-256\n    x: ${jwk.x}\n    y: ${jwk.y}\n    d: ${jwk.d}\n`, [jwk.d ?? ""]],
  [`key = ${der(ec.privateKey, "pkcs8")}`, [der(ec.privateKey, "pkcs8")]],
  [der(ec.privateKey, "sec1"), [der(ec.privateKey, "sec1")]],
  [`{"k":"${der(rsa.privateKey, "pkcs8")}"}`, [der(rsa.privateKey, "pkcs8").slice(0, 60)]],
  [`value: ${der(rsa.privateKey, "pkcs1")}\n`, [der(rsa.privateKey, "pkcs1").slice(0, 60)]],
  [der(ed.privateKey, "pkcs8"), [der(ed.privateKey, "pkcs8")]],
  [`MSH|^~\\&|ADT1|GOOD|LAB\r${PID}\rNK1|1`, ["JONES", "WILLIAM", "19610615", "1200 N ELM", "27401", "536-22-8726"]],
  [CARD, ["Gump", "Forrest", "1985-04-12", "100 Waters Edge", "30314"]],
  ["SIGNING_KEY_B64=VHIwdWI0ZG9yM3hxcVdXZWUhITkkJQ==\nPORT=1", ["VHIwdWI0"]],
  ['DB_MASTER_KEY_BASE64: "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="', ["q83vEjRWeJ"]],
  ["Write to me: https://wa.me/4915112345678?text=hi, or wa.me/447700900123", ["4915112345678", "447700900123"]],
])("%s: no value stays", (text, values) => {
  const once = scrubbed(text);
  for (const value of values) expect(once).not.toContain(value);
  expect(scrubbed(once)).toBe(once);
  // as in JSON
  const json = scrubbed(JSON.stringify({ output: text }));
  expect(JSON.parse(json)).toEqual({ output: once });
});

test.each([
  "htpasswd -b <file> <user> <password>",
  "htpasswd -b passwdfile username password",
  "htpasswd -c /etc/nginx/.htpasswd alice",
  "rabbitmqctl add_user username password",
  "rabbitmqctl add_user USER PASSWORD",
  "rabbitmqctl list_users --formatter json",
  "net use \\\\fileserver\\share /user:CORP\\svc",
  "We net user growth against churn2024 here",
  "mc alias set ALIAS HOSTNAME ACCESS_KEY SECRET_KEY",
  "mc alias set myminio http://localhost:9000 ACCESS-KEY SECRET-KEY",
  "mc alias set prod https://minio.corp.test $ACCESS_KEY $SECRET_KEY",
  "d41d8cd98f00b204e9800998ecf8427e  empty.txt",
  `a:1:${LM}:file.txt`,
  `keys:\n  - kty: EC\n    x: ${jwk.x}\n    y: ${jwk.y}\n`,
  `  d: ${jwk.x}\nkty: EC\n`,
  ec.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  rsa.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  rsa.publicKey.export({ type: "pkcs1", format: "der" }).toString("base64"),
  "the PID|4711|running|node server.js|2024-01-01|root|R|S|T|U|V|W",
  "PUBLIC_SIGNING_KEY_B64=VHIwdWI0ZG9yM3hxcVdXZWUhITkkJQ==",
  "IMAGE_B64=VHIwdWI0ZG9yM3hxcVdXZWUhITkkJQ==",
  "SIGNING_KEY_B64=${SIGNING_KEY_B64}",
  "N:Gump;Forrest\nFN:Forrest Gump",
])("%s: stays", (text) => {
  expect(scrubbed(text)).toBe(text);
});
