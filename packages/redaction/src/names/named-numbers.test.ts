import { describe, expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
const scrubbed = (text: string, mime?: string): string =>
  scrubber.scrub(text, mime === undefined ? (text.startsWith("{") ? { mime: "application/json" } : {}) : { mime }).text;

describe("a name that says what its value is", () => {
  test.each([
    ['{"customer_ssn":"666-12-3456"}', "666-12-3456"],
    ['{"steuernummer":"12/345/67891"}', "12/345/67891"],
    ['{"voterId":"abc1234568"}', "abc1234568"],
    ['{"national-insurance-number":"qq 12 34 56 c"}', "qq 12 34 56 c"],
    ['{"PASSPORT_NUMBER":"x1234567"}', "x1234567"],
    ['{"passportnumber":"x1234567"}', "x1234567"],
    ['{"iban":"de89370400440532013001"}', "de89370400440532013001"],
    ['{"card_number":"4111 1111 1111 1112"}', "4111 1111 1111 1112"],
    ['{"date_of_birth":"31/02/1985"}', "31/02/1985"],
    ['{"passport":{"number":"x1234567"}}', "x1234567"],
    ['[{"name":"cpf","value":"123.456.789-00"}]', "123.456.789-00"],
    ["id,customer_ssn\n1,666-12-3456\n", "666-12-3456"],
    ["<customer_ssn>666-12-3456</customer_ssn>", "666-12-3456"],
    ["CUSTOMER_SSN=666-12-3456", "666-12-3456"],
    ["{'cpf': '123.456.789-00', 'a': 1}", "123.456.789-00"],
    ["passport_number: x1234567", "x1234567"],
    ['1,"{""ssn"": ""666-12-3456""}"\n', "666-12-3456"],
  ])("%s", (text, value) => {
    const out = scrubbed(text);
    expect(out).not.toContain(value);
    expect(scrubbed(out)).toBe(out);
  });

  test("gives a mistyped value the token of the same value in another spelling", () => {
    const { a, b } = JSON.parse(scrubbed('{"a":{"ssn":"666-12-3456"},"b":{"customerSsn":"666 12 3456"}}')) as Record<
      string,
      Record<string, string>
    >;
    expect(a?.["ssn"]).toBe(b?.["customerSsn"]);
  });

  test.each([
    '{"sin":"0.12345678"}',
    '{"epic":"PROJ-1234"}',
    '{"tax_id":"txcd_10000000"}',
    '{"passport":"local"}',
    '{"license_number":"MIT-2.0"}',
    '{"rif":"0x123456789"}',
    '{"ssn":"unknown"}',
    '{"birthday":"yes"}',
    "CPF: 123.456.789-00",
  ])("and %s stays", (text) => expect(scrubbed(text)).toBe(text));
});

describe("sixteen digits", () => {
  test.each(["see 4716461583322103 there", "4716461583322103", "order 4716461583322103", "blk_-4716461583322103"])(
    "%s: nothing says that they are a card",
    (text) => expect(scrubbed(text)).toBe(text),
  );
  test.each([
    "pay with 4716461583322103 please",
    "Ann,4716461583322103,12/27",
    "4716-4615-8332-2103",
    '{"card":{"number":"4716461583322103"}}',
    ";4716461583322103=25121010000000000000?",
  ])("%s: a card", (text) => expect(scrubbed(text)).toContain("CARD_"));
});

test.each([
  ["/home/u/ssn_155-27-8663.pdf", "155-27-8663"],
  ["report_4111111111111111.csv", "4111111111111111"],
  ["call_+14155552671_rec.wav", "14155552671"],
  ["/data/+44 20 7946 0404.txt", "7946"],
  ["/data/b2/DE89 3704 0044 0532 0130 00.txt", "0532"],
  ["/data/2024/05/4716-4615-8332-2103.pdf", "4716-4615"],
  ["/data/2024-b2/4716-4615-8332-2103/scan.pdf", "4716-4615"],
  ["/data/2024/b2/4716-4615-8332-2103", "4716-4615"],
  [
    '--b\r\nContent-Disposition: form-data; name="f"; filename="scan_155-27-8663.pdf"\r\n\r\nx\r\n--b--',
    "155-27-8663",
    "multipart/form-data; boundary=b",
  ],
])("the name of a file: %s", (text, value, mime?: string) => expect(scrubbed(text, mime)).not.toContain(value));

test.each(["/build/20240506/20240506-1234/12.log", "/v1.2/2024-05-06/12345678/155-27-8663/x", "a/12/4716-4615-8332"])(
  "other numbers of a path stay: %s",
  (text) => expect(scrubbed(text)).toBe(text),
);

test("UTF-16, declared, marked or plain to see", () => {
  const text = '{"password":"hunter2","mail":"änn@example.com"}';
  const little = Buffer.from(text, "utf16le");
  for (const [bytes, mime] of [
    [little, "application/json; charset=utf-16le"],
    [Buffer.concat([Buffer.from([0xff, 0xfe]), little]), "application/json"],
    [Buffer.from(little).swap16(), "application/json; charset=UTF-16BE"],
  ] as const) {
    const out = Buffer.from(scrubbed(bytes.toString("latin1"), mime), "latin1");
    const seen = (mime.endsWith("BE") ? out.swap16() : out).toString("utf16le");
    expect(seen).toMatch(/\{"password":"AUTH_\w+","mail":"EMAIL_\w+"\}$/);
  }
});

test.each([
  ["password=hunter2", "hunter2"],
  ['password: "cat12"', "cat12"],
  ["DB_PASSWORD=s3cr!", "s3cr!"],
  ["the password is hunter2.", "hunter2"],
  ['1,"{""password"": ""cat12""}"\n', "cat12"],
])("a short password behind its name: %s", (text, value) => expect(scrubbed(text)).not.toContain(value));

test.each([
  "const token = generateToken2();",
  "basic_auth = base64.b64encode(b'a:b')",
  "self.push_token(Token::Prefix2)?;",
  "const apiKeys = beta_1.BETA_CLIENT_KEYS;",
  "password: min 8",
  "Password: 8 chars",
  'X_AUTH_TOKEN = "x-auth-token-2"'.replaceAll("-2", ""),
  "f'{scheme}://{username}:{password}@{host}'",
  "Date:   Mon Jul 27 11:48:04 2026 -0500",
  ":100644 100644 300b2f3 3fa1295 M\ta.ts",
  "'jsonschema>=2.6.0.0,<3.0.0.0'",
  "4711@worker-3.eu.example.com",
])("%s stays", (text) => expect(scrubbed(text)).toBe(text));

test("a private key in the strings of a list or a log of JSON goes line by line", () => {
  const line = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgMIGHAgEAMBMGByqG";
  const block = ["-----BEGIN PRIVATE KEY-----", line, line.slice(0, 20), "-----END PRIVATE KEY-----"];
  const log = block.map((log) => JSON.stringify({ log: `${log}\n`, time: "10:00" })).join("\n");
  for (const [text, mime] of [
    [log, "application/x-ndjson"],
    [log, "text/plain"],
    [JSON.stringify({ lines: block.slice(1).map((each) => `web-1  | ${each}`) }), "application/json"],
  ] as const) {
    const out = scrubbed(text, mime);
    expect(out).not.toContain(line.slice(0, 16));
    expect(out.split("\n")).toHaveLength(text.split("\n").length);
    for (const each of out.split("\n")) expect(() => JSON.parse(each) as unknown).not.toThrow();
    expect(scrubbed(out, mime)).toBe(out);
  }
});
