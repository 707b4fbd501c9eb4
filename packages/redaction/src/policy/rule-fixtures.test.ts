import { expect, test } from "vitest";
import { DETECTORS } from "../detect/detectors.ts";
import { LEAF_DETECTORS } from "../detect/leaf-detectors.ts";
import { keyedHits } from "../scrub/keyed.ts";
import { fieldContext } from "../names/field-context.ts";
import { RULES } from "./rules.ts";
import { createScanner } from "../scan/scan.ts";

const scanner = createScanner(() => true);
scanner.learn({ name: "K", value: "zebra-crossing-77" });

/** `name > text`: the text as the value of a member of that name. */
function rulesIn(fixture: string, by = scanner): string[] {
  const [, name = "", text = fixture] = /^(\w+) > ([^]*)$/.exec(fixture) ?? [];
  return by.scan(text, 0, text.length, fieldContext(name)).map(({ rule }) => rule ?? "");
}

/** What each rule must find, and what it must leave. */
export const FIXTURES: Record<string, readonly [finds: readonly string[], leaves: readonly string[]]> = {
  pem: [
    ["-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----\\nMIIEpAIBAAKC"],
    ["-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"],
  ],
  jwt: [["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0aaaa.SflKxwRJSMeKKF2QT4fwpMeJf36P"], ["eyJub3QiOjF9.abc.def"]],
  "wallet.base58": [["pay 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa now"], ["pay 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb now"]],
  "wallet.bech32": [["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"], ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp"]],
  "wallet.ethereum": [
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "my wallet is 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", "commit 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"],
  ],
  "wallet.ripple": [["rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"], ["rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTk"]],
  "wallet.solana": [
    ["Solana wallet 7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV4"],
    [
      "build 7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV4",
      "Solana wallet 7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV4A9b",
    ],
  ],
  "wallet.monero": [
    ["888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H"],
    ["888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3J"],
  ],
  "wallet.stellar": [
    ["GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7"],
    ["GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWNA"],
  ],
  "wallet.cash": [
    ["bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "to qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"],
    ["bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q"],
  ],
  "wallet.algorand": [
    ["IBNDR3IBGEPI2ENPZR2ZRIH6JOYPXPW3PWIWBWEAJZTKGA5NN6Z6QP6LXA"],
    ["IBNDR3IBGEPI2ENPZR2ZRIH6JOYPXPW3PWIWBWEAJZTKGA5NN6Z6QQ6LXA"],
  ],
  "wallet.substrate": [
    ["5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"],
    ["5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ"],
  ],
  "key.wallet-private": [
    ["5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"],
    ["5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTK"],
  ],
  card: [
    ["4111 1111 1111 1111", "4111.1111.1111.1111", "card_number > 501800000009"],
    ["4111 1111 1111 1112", "order_id > 4111111111111111", "501800000009"],
  ],
  iban: [
    ["DE89 3704 0044 0532 0130 00", "gb29nwbk60161331926819"],
    ["DE89 3704 0044 0532 0130 01", "DE89370400440532013"],
  ],
  "bank-account": [
    [
      "my bank account number is 12345678",
      "sort code 12-34-56",
      "routing number: 021000021",
      "account_number > 0012-3456-789",
      "Kontonummer: 1234567",
    ],
    ["account 12345678", "bank account since 2024-01-31", "account_number > ACME-12", "account_id > 12345678"],
  ],
  ssn: [
    ["155-27-8663", "155 27 8663", "ssn > 155278663", "155278663 is my SSN"],
    ["000-27-8663", "155278663", "155-00-8663"],
  ],
  passport: [
    ["passport number X1234567", "passport_no > C01X00T47"],
    ["X1234567", "passport > yes"],
  ],
  licence: [
    ["driver's license number is C0325016", "driving_licence > MORGA753116SM9IJ"],
    ["C0325016", "software license number is here"],
  ],
  email: [
    [
      "Alice+x@Mail.Example.com",
      "a%40example.com",
      "\\nalice@example.com",
      "jane (at) example (dot) com",
      "jane.doe [at] example [dot] co [dot] uk",
    ],
    ["icon@2x.png", "git@github.com:a/b", "@scope/name", "jane at example.com", "foo(at) bar", "call(at)"],
  ],
  "phone.international": [
    ["+44 20 7946 0404", "+1 (202) 555-0128", "0049 30 123456", "+442079460404", "tel:+49-30-123456"],
    ["+999 123 4567", "+5 points", "UTC+0200", "a+123456789012"],
  ],
  "phone.national": [
    ["202-555-0128", "(202) 555-0128", "020 7946 0404", "call 5550128", "phone > 5550128", "01 99 00 49 16"],
    ["2024-01-02", "order 0123456789", "0.123456789", "12345678", "10:30", "1 2 3 4 5 6 7"],
  ],
  "ip.v4": [
    ["10.1.2.3:80", "(203.0.113.126)", "http://203.0.113.126/a"],
    ["127.0.0.1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "Chrome/120.0.0.0", "10.0.0.0/8", "version 1.2.3.4"],
  ],
  "ip.v6": [
    ["2001:db8::8a2e:370:7334", "ip:2001:db8::8a2e:370:7334;", "[fe80::1]:80", "::ffff:10.1.2.3"],
    ["::1", "std::vec::add", "12:30:45", "a::b"],
  ],
  mac: [
    ["00:1A:2B:3C:4D:5E", "00-1a-2b-3c-4d-5e", "001a.2b3c.4d5e"],
    ["00:1A:2B:3C:4D", "ff:ff:ff:ff:ff:ff", "12:30:45"],
  ],
  "birth-date": [
    ["born on 23/02/1983", "DOB: 12 March 1980", "date_of_birth > 1983-02-23", "born March 12, 1980"],
    ["due on 23/02/1983", "dob > soon"],
  ],
  address: [
    [
      "at 188 Quay Road, Leeds 04723",
      "12 rue du Moulin",
      "Hauptstraße 5",
      "street > Am Hof",
      "zip > 94043",
      "12 Elm Avenue Apt. 4",
    ],
    ["5 Easy Steps", "address > 0x00", "page 12 of The Road"],
  ],
  person: [
    ["first_name > Mia", "cardholderName > Mia Li"],
    ["name > search_orders", "first_name > string", "Mia Li"],
  ],
  known: [["the zebra-crossing-77!"], ["the zebra-crossing-78!"]],
  "auth.assignment": [
    [
      "DB_PASSWORD=hunter2hunter2",
      'secret: "a1b2c3d4e5"',
      '<add key="Password" value="Cleartext1"/>',
      '"secret_key" => "ab12cd34ef"',
      "pwd := 'abc123def'",
      "password=%24ecret9xK",
      "contraseña: a1b2c3d4e5",
      "Mot de passe : a1b2c3d4e5",
      "пароль: a1b2c3d4e5",
      "密码：a1b2c3d4e5",
      "hasło: a1b2c3d4e5",
      "clave: Xy7#kkLw2mQ",
      "mysqldump --password a1b2c3d4e5 x",
      "her password is Xy7kkLw2mQ.",
      "pwd is Xy7kkLw2mQ",
      "SECRET_KEY_BASE=a1b2c3d4e5",
      "app.api.key=a1b2c3d4e5",
      "<db_password>a1b2c3d4e5</db_password>",
      "| API_KEY | a1b2c3d4e5 |",
      "define('DB_PASSWORD', 'a1b2c3d4e5');",
      '{\\"token\\":\\"a1b2c3d4e5\\"}',
      'ENV["API_TOKEN"] = "a1b2c3d4e5"',
      'val apiKey: String = "a1b2c3d4e5"',
      'setPassword("a1b2c3d4e5")',
      'auth=("bob", "a1b2c3d4e5")',
      "ENV API_TOKEN a1b2c3d4e5",
      "run --api-key a1b2c3d4e5",
      "the API key is a1b2c3d4e5f6g7",
      "mysql -u root -pa1b2c3d4e5 db",
      "sshpass -p a1b2c3d4e5 ssh h",
      "ssh-keygen -t ed25519 -N a1b2c3d4e5 -f k",
      "openssl enc -aes-256-cbc -k a1b2c3d4e5",
      'curl -b "sid=a1b2c3d4e5" https://h/',
      "api_key: |-\n  a1b2c3d4e5\n",
      "**Password:** a1b2c3d4e5",
      "CVV: 123",
      "seed phrase: acid zone able about abuse acid zone able about abuse acid zone",
      "PRIVATE-TOKEN: QwErTyUiOpAsDfGhJkLz",
    ],
    [
      "password: required",
      "api_key=$API_KEY",
      "token=<your-token-123>",
      "max_tokens=4096x8192",
      "secret: process.env.SECRET1",
      "password=%DB_PASSWORD1%",
      "clave: producto12345",
      "the password SHA256WithRsa12 is",
      "password reset for user1234",
      "passe: a1b2c3d4e5",
      "API_KEY=xxxxxxxxxxx1",
      "<password>Enter one</password>",
      "| token | description |",
      "('password', 'min:8|confirmed')",
      "['api-key', 'openai-organization']",
      'getToken("user12345")',
      "ENV NODE_ENV production2024",
      "docker run -p 8080:80 x1",
      "curl -k a1b2c3d4e5.example",
      "mkdir -p /var/lib/app2024",
      "the key is customer2024",
      "a monkey is Curious1234George",
      "curl -b cookies.txt https://h/",
      "cvv: 3 digits",
      '"cookie":1.04e-322',
    ],
  ],
  "auth.scheme": [
    [
      "['AuThorization', 'Bearer abcdEFGH12345678ijkl']",
      "authorization bearer abcdEFGH12345678ijkl",
      'Authorization: Digest username="Mufasa", response="6629fae49393a05397450978507c4ef1"',
      "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPL3/20240101/us-east-1/s3/aws4_request, Signature=fe5f80f77d5fa3beca038a248ff027d0",
      "sent Bearer abcdEFGH12345678ijkl to it",
      "with Basic YWxpY2U6c2VjcmV0MTIz.",
      "sent bearer abcdEFGH12345678ijkl to it",
      "with basic YWxpY2U6c2VjcmV0MTIz.",
    ],
    [
      "authorization for project12345678",
      "Authorization: Bearer <your-token-here>",
      "Bearer of the certificate",
      "Basic understanding12 of it",
      "organization basic abcdEFGH12345678ijkl",
      "the bearer understanding12 of it",
    ],
  ],
  "auth.url": [["jdbc:oracle:thin:scott/tiger77@//db", "postgres://joe:s3cret@db/x"], ["https://example.com/@joe"]],
  "auth.code": [
    [
      "your code is 482913",
      "PIN: 4821",
      "482913 is your Acme verification code",
      "one-time password: 91827364",
      "Ihr Bestätigungscode lautet 482913",
      "pin > 4821",
      "verification_code > 482913",
    ],
    [
      "error code is 404123",
      "in 2024 we sold 4821 items",
      "the code 1234 lines",
      "your code is 4821 lines long",
      "discount code: 20241",
      "pin > GPIO17",
      "zip code 94043",
    ],
  ],
  "auth.hash": [
    [
      "bob:$2b$12$hK9RAvdefwnW4WEyLRJTCWXsJgd1tNztN5vBwwVNnoFUNIJy4DO5P",
      "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21l$RdescudvJCsgt3ub+b4dWRWJTmaaJObG",
      "root:$6$5Ct2tX9elX9qusrD$mModqC83zbORgS0VTtHTJ3NNpJwDBFuvN6a5XG7uc5BLFzu4Zej16RSSAiDCShymFEqxYvVz89HEACP83VmO0W:19000:",
    ],
    ["it costs $2b and $12", "$2b$12$short"],
  ],
  "auth.curl": [
    [
      "curl -u joe:s3cr3tpw https://h/",
      'curl --user "joe:s3cr3tpw"',
      "curl -sSujoe:s3cr3tpw https://h/",
      "curl -ku joe:s3cr3tpw",
    ],
    ["curl -u $U:$P", "curl -u test:test", "id -u joe:s3cr3tpw", "curl -Hbsu:s3cr3tpw"],
  ],
};

const own = RULES.filter(({ id }) => !/^(?:id|key)\./.test(id) || id === "key.wallet-private").map(({ id }) => id);

test("each rule has a fixture here or in the tables of its kind", () => {
  expect([...Object.keys(FIXTURES), "auth.name"].toSorted()).toEqual(own.toSorted());
});

test.each(Object.entries(FIXTURES))("%s", (id, [finds, leaves]) => {
  for (const fixture of finds) expect(rulesIn(fixture), fixture).toContain(id);
  for (const fixture of leaves) expect(rulesIn(fixture), fixture).not.toContain(id);
});

test.each(Object.entries(FIXTURES))("%s is found by the detectors that name it, and by no other", (id, [finds]) => {
  const only = (names: boolean) =>
    createScanner(
      () => true,
      new Set(),
      DETECTORS.filter(({ rules }) => rules.includes(id) === names),
    );
  const [named, others] = [only(true), only(false)];
  for (const each of [named, others]) each.learn({ name: "K", value: "zebra-crossing-77" });
  const isOfLeaf = LEAF_DETECTORS.some(({ rules }) => rules.includes(id));
  for (const fixture of finds) {
    expect(rulesIn(fixture, named), fixture).toContain(id);
    if (!isOfLeaf && id !== "known") expect(rulesIn(fixture, others), fixture).not.toContain(id);
  }
});

test("auth.name", () => {
  const rules = (name: string, value: string): unknown[] =>
    keyedHits(name, value, (from, to) => scanner.scan(value, from, to)).map(({ type, rule }) => [type, rule]);
  expect(rules("authorization", "Bearer abc")).toEqual([["AUTH", "auth.name"]]);
  expect(rules("password", "none")).toEqual([]);
});
