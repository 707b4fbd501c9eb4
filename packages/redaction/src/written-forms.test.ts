import { expect, test } from "vitest";
import { createScrubber } from "./scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
const scrubbed = (text: string): string =>
  scrubber.scrub(text, text.startsWith("{") ? { mime: "application/json" } : {}).text;

test.each([
  // how a value is declared, set, nested
  ['variable "db_password" {\n  default = "Hunter2!xyz"\n}', "Hunter2!xyz"],
  ["password:\n  Hunter2!xyz\n", "Hunter2!xyz"],
  // what a command takes, by an option or from a pipe
  ["cqlsh h.test -u cassandra -p Hunter2xyz99", "Hunter2xyz99"],
  ["psexec \\\\srv -u DOM\\ada -p Hunter2xyz99 cmd", "Hunter2xyz99"],
  ["twine upload -u __token__ -p Hunter2xyz99 dist/*", "Hunter2xyz99"],
  ["ipmitool -H h -U admin -P Hunter2xyz99 power status", "Hunter2xyz99"],
  ["sqlcmd -S h -U sa -P Hunter2xyz99", "Hunter2xyz99"],
  ["bcp t out f -S h -U sa -PHunter2xyz99", "Hunter2xyz99"],
  ["zip -P Hunter2xyz99 a.zip b", "Hunter2xyz99"],
  ["snmpwalk -v3 -u ada -A Hunter2xyz99 -X other h", "Hunter2xyz99"],
  ["smbclient //srv/s -U ada%Hunter2xyz99", "Hunter2xyz99"],
  ["keytool -list -keystore a.jks -storepass Hunter2xyz99", "Hunter2xyz99"],
  ['ConvertTo-SecureString "Hunter2xyz99" -AsPlainText -Force', "Hunter2xyz99"],
  ['gh secret set DB --body "Hunter2xyz99"', "Hunter2xyz99"],
  ["echo 'Hunter2xyz99' | sudo -S apt update", "Hunter2xyz99"],
  ["echo Hunter2xyz99 | docker login -u ada --password-stdin", "Hunter2xyz99"],
  ['echo "ada:Hunter2xyz99" | chpasswd', "Hunter2xyz99"],
  ["REDISCLI_AUTH=Hunter2xyz99 redis-cli ping", "Hunter2xyz99"],
  // what programs print, and other programs read
  ["Uid=sa;Pwd={Hunter2xyz99};", "Hunter2xyz99"],
  ["Array\n(\n    [user] => ada\n    [password] => Hunter2xyz99\n)", "Hunter2xyz99"],
  ['array(1) {\n  ["password"]=>\n  string(12) "Hunter2xyz99"\n}', "Hunter2xyz99"],
  ["password = <<EOF\nHunter2xyz99\nEOF\n", "Hunter2xyz99"],
  ['<input type="password" name="pw" value="Hunter2xyz99">', "Hunter2xyz99"],
  [
    '<input name="csrf_token" type="hidden" value="aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA" />',
    "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA",
  ],
  ["COPY public.users (id, password) FROM stdin;\n1\tHunter2xyz99\n\\.\n", "Hunter2xyz99"],
  ['kind: Secret\nmetadata:\n  name: db\nstringData:\n  connection: "Hunter2xyz99"\n', "Hunter2xyz99"],
  ["metadata:\n  name: db\ndata:\n  conn: SHVudGVyMnh5ejk5\nkind: Secret\n", "SHVudGVyMnh5ejk5"],
  [".h.test\tTRUE\t/\tTRUE\t1790000000\tsid\taB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA\n", "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA"],
  ["Recovery codes:\n1z3bl-xfp3h\nlfe37-1xzet\n4z8cb-hpc7r\n", "lfe37-1xzet"],
  [
    "-----BEGIN OpenVPN Static key V1-----\n0e83b746bb57bdf02ed47fe22633c569\n-----END OpenVPN Static key V1-----",
    "bb57bdf02ed4",
  ],
  ["SVWZ+Rent IBAN+DE89370400440532013000 BIC+DEUTDEFF", "370400440532013000"],
  [":25:DE89370400440532013000EUR\n:28C:1/1", "370400440532013000"],
  ["password: |\n  Hunter2!xyz\nnote: x\n", "Hunter2!xyz"],
  ["db:\n  apiKey: >-\n    aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA\n", "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA"],
  ["<password><![CDATA[Hunter2!xyz]]></password>", "Hunter2!xyz"],
  ["<key>Password</key>\n<string>Hunter2!xyz</string>", "Hunter2!xyz"],
  ['char password[] = "Hunter2!xyz";', "Hunter2!xyz"],
  ['var password string = "Hunter2!xyz"', "Hunter2!xyz"],
  ['password?: string = "Hunter2!xyz"', "Hunter2!xyz"],
  ['password ||= "Hunter2!xyz"', "Hunter2!xyz"],
  ["user[password]=Hunter2!xyz&a=1", "Hunter2!xyz"],
  ['{"pass":"Hunter2!xyz"}', "Hunter2!xyz"],
  ['{"newPass":"Hunter2!xyz"}', "Hunter2!xyz"],
  ['{"password":{"S":"Hunter2!xyz"}}', "Hunter2!xyz"],
  ['{"ParameterKey":"DbPassword","ParameterValue":"Hunter2!xyz"}', "Hunter2!xyz"],
  ['{"element":"Password field","ref":"e12","text":"Hunter2!xyz"}', "Hunter2!xyz"],
  ['{"selector":"#password","text":"Hunter2!xyz"}', "Hunter2!xyz"],
  ['{"sessionId":"aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA"}', "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA"],
  ['{"code_verifier":"aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA"}', "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA"],
  // what is said between the word and the value, and in which language
  ["The password for the admin account is: Hunter2!xyz", "Hunter2!xyz"],
  ["Password has been set to Hunter2!xyz", "Hunter2!xyz"],
  ["API key (prod): aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA", "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA"],
  ["Here is the API key you asked for: aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA", "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA"],
  ["the adminPassword is Hunter2!xyz", "Hunter2!xyz"],
  ["the secretAccessKey is aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA", "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA"],
  ["<contraseña>Hunter2!xyz</contraseña>", "Hunter2!xyz"],
  ["La contraseña es Hunter2!xyz", "Hunter2!xyz"],
  ["mon mot de passe est Hunter2!xyz", "Hunter2!xyz"],
  ["a senha é Hunter2!xyz", "Hunter2!xyz"],
  ["la password è Hunter2!xyz", "Hunter2!xyz"],
  ["das Passwort lautet Hunter2!xyz", "Hunter2!xyz"],
  ["мой пароль Hunter2!xyz", "Hunter2!xyz"],
  ["密码是Hunter2!xyz", "Hunter2!xyz"],
  ["パスワードはHunter2!xyzです", "Hunter2!xyz"],
  ["비밀번호는 Hunter2!xyz 입니다", "Hunter2!xyz"],
  // birth, papers, accounts and names in other languages
  ["生日是1946年2月27日", "1946年2月27日"],
  ["생년월일: 1953년 11월 16일", "1953년 11월 16일"],
  ["doğum tarihi: 01.01.1959", "01.01.1959"],
  ["تاريخ الميلاد: 12/12/1972", "12/12/1972"],
  ["дата рождения: 16 апреля 1944", "16 апреля 1944"],
  ['{"fecha_nacimiento":"1975-03-06"}', "1975-03-06"],
  ['{"vorname":"Anna","nachname":"Keller"}', "Keller"],
  ['{"apellido":"Ruiz"}', "Ruiz"],
  ['{"prenom":"Luc"}', "Luc"],
  ["护照号：E05751169", "E05751169"],
  ["パスポート番号: AP2250236", "AP2250236"],
  ["여권번호: M18347831", "M18347831"],
  ["numer paszportu: EL1429839", "EL1429839"],
  ["водительское удостоверение 26 79 609734", "609734"],
  ["CNH: 05429708732", "05429708732"],
  ["運転免許証番号: 179592639167", "179592639167"],
  ["银行卡号：6208673232269633531", "6208673232269633531"],
  ["口座番号：3412843", "3412843"],
  ["расчетный счет 40817810308712058531", "40817810308712058531"],
  ["numer konta: 79 1210 3627 4571 6999 2640 8481", "8481"],
  ["HKID: C914109(8)", "C914109(8)"],
  // codes behind a town
  ["46 Baker Street, London NW1 6XE", "6XE"],
  ["Storgatan 12, 123 45 Stockholm", "Stockholm"],
  ["mieszkam na ul. Marszałkowska 50/4, 00-590 Warszawa", "Warszawa"],
  // what a tool prints behind an address
  ["ping 2001:db8::8a2e:370:7334: 64 bytes", "2001:db8::8a2e:370:7334"],
  ["fe80::774:4047:c23:d1e1: host is up", "fe80::774:4047:c23:d1e1"],
  // a space around the slash behind the area code
  ["phone: 089 / 8532572", "089 / 8532572"],
  ["Tel. 0711 / 2304213, bitte", "0711 / 2304213"],
  // words and particles of other languages
  ["Zadzwoń: 22 211 29 42", "22 211 29 42"],
  ["Llámame al 91 436 55 79", "91 436 55 79"],
  ["Chiamami al 345 2765425", "345 2765425"],
  ["Tlf. 27 20 21 97", "27 20 21 97"],
  ["Zavolejte na 600 101 856", "600 101 856"],
  ["Ligue para 911 941 626", "911 941 626"],
  ["Cel: 11 7987-6723", "11 7987-6723"],
  ["请打电话 13902787611", "13902787611"],
  ["我的电话是 13902787611", "13902787611"],
  ["제 전화번호는 02-312-4567", "02-312-4567"],
  ['{"phoneNumbers":"8540 4786"}', "8540 4786"],
  // the noun first, whose it is behind it
  ['{"cnpj_empresa":"97650337570527"}', "97650337570527"],
  ['{"pesel_klienta":"44051401359"}', "44051401359"],
  ["ת.ז. 238925036", "238925036"],
  ["fnr 01010750160", "01010750160"],
  ["Kt. 130387-2339", "130387-2339"],
  ['{"ת.ז.":"327787297"}', "327787297"],
  // one in thirty has no digit
  ["retry with AKIARBCWWPOTMKOXVYLN now", "AKIARBCWWPOTMKOXVYLN"],
  // the name is a line of its own
  ["db_password:\n    value: kB7AinoqQ4cDhGBgpcAi\n", "kB7AinoqQ4cDhGBgpcAi"],
  ["  adminPassword:\n      value: 'hunter22-Xy'\n", "hunter22-Xy"],
  // set by a command, without a sign
  [
    "aws configure set aws_secret_access_key wJalrXUtnFEMI8K7MDENGbPxRfiCYzKEYabcdef",
    "wJalrXUtnFEMI8K7MDENGbPxRfiCYzKEYabcdef",
  ],
  // names in quotes, in code, without accents, with a number, in bold letters
  ["{'cpf': '41834918359'}", "41834918359"],
  ["{'phone': '974980472', 'tier': 'gold'}", "974980472"],
  ["const phoneNumber = '974980472'", "974980472"],
  ["numero de telefono: 974980472", "974980472"],
  ['{"phone2":"974980472"}', "974980472"],
  ["- **Session secret**: `X23FyMQaEpSTQ021MHaFDAh8`", "X23FyMQaEpSTQ021MHaFDAh8"],
  // a form as a list
  ['{"fields":[{"label":"CPF","value":"41834918359"}]}', "41834918359"],
  ['{"name":"app secret","value":"vUhHXe0QpPryOkpjyDqnwZKC1kxPZq"}', "vUhHXe0QpPryOkpjyDqnwZKC1kxPZq"],
  // digits of other scripts, characters written as numbers
  ["tel: +٩٧١-٥٠-١٢٣-٩٠١٣", "٩٠١٣"],
  ["card ٤١١١ ١١١١ ١١١١ ١١١١", "١١١١"],
  ["फ़ोन +९१ ८१२३४ ५२४७१", "५२४७१"],
  ["contact ada&#46;lovelace&#64;example&#46;com, ok", "lovelace"],
  ["call &#x2b;49 30 1234567 now", "1234567"],
  ["'phone': '\\u002B49 30 1234567'", "1234567"],
  // an issuer that is not known
  ["card number: 3595 6256 6603 5521", "3595 6256 6603 5521"],
  ["IR576406610070915600106898", "IR576406610070915600106898"],
  ['{"dob":"1969年1月5日"}', "1969年1月5日"],
  ["생년월일 date of birth: 1969년 1월 5일", "1969년 1월 5일"],
  ['{"eth_address":"0xe7ac4ca035eb18bcd78bf3b98b6dfe1b1ef8820a"}', "0xe7ac4ca035eb18bcd78bf3b98b6dfe1b1ef8820a"],
  ["GET /c?page=2&mobile=(868)%20291-9168 HTTP/1.1", "291-9168"],
  // the cell before, the line above, a dash between, other words in an element
  ["<tr><th>Client secret</th><td>f48703ec30cd77b539d5b9a5b142d6cd</td></tr>", "f48703ec30cd77b539d5b9a5b142d6cd"],
  ["<dt>Password:</dt>\n <dd><code>X23FyMQaEpSTQ021</code></dd>", "X23FyMQaEpSTQ021"],
  ["Webhook secret\nf48703ec30cd77b539d5b9a5b142d6cd\n", "f48703ec30cd77b539d5b9a5b142d6cd"],
  ["our token - 'qqp3hmo94ac0ffd1k2z8'", "qqp3hmo94ac0ffd1k2z8"],
  ["<secret>{AQAAABAAAb36c17e9dc0dba67480e864cf69879c3}</secret>", "b36c17e9dc0dba67480e864cf69879c3"],
  ["machine git.test\n  login ada\n  password 012345abcdef\n", "012345abcdef"],
  ["Connect -User root -Password VMware1!", "VMware1!"],
  ['my_password: "super$ecret"', "super$ecret"],
  ["SECRET_KEY = 'django-insecure-_du9e^cmago!%(^+=gr@cu@v9-v7'", "cmago"],
  ['{"recovery_code":"hunter22-Xy"}', "hunter22-Xy"],
  ["pin code: 698802", "698802"],
  ["mapbox_key: 9mZk2Qx7Lp4Wd8Rt", "9mZk2Qx7Lp4Wd8Rt"],
  ["https://api.test/v1?key=3kx19qpx748ldb75lsjicbs6ipit6ssm", "3kx19qpx748ldb75lsjicbs6ipit6ssm"],
  // a sign or a letter of another script stands right before the word
  ["     1→SSN: 155278663", "155278663"],
  ["  12→cpf: 52998224725", "52998224725"],
  ["│DOB: 1983-02-23", "1983-02-23"],
  ["“passport: X1234567”", "X1234567"],
  ["…Tel: 01581540943", "01581540943"],
  ["我的CPF: 52998224725", "52998224725"],
  // a line of a change
  ["+AKIARBCWWPOTMKOXVYLN", "AKIARBCWWPOTMKOXVYLN"],
  ["@@ -1 +1 @@\n-AKIARBCWWPOTMKOXVYLN\n", "AKIARBCWWPOTMKOXVYLN"],
  ["+10.1.2.3", "10.1.2.3"],
  ["-2001:db8::8a2e:370:7334", "2001:db8::8a2e:370:7334"],
  [" a\n-155-27-8663", "155-27-8663"],
  ["+4111111111111111", "4111111111111111"],
  ["+DE89370400440532013000", "DE89370400440532013000"],
  // a text that says what a key is shows it again
  ["token = 'qqp3hmo94ac0ffd1k2z8'; retried with qqp3hmo94ac0ffd1k2z8", "qqp3hmo94ac0ffd1k2z8"],
  ["npm config set auth_token 0ba69fa3c9043d75f49eb55a7113d502", "0ba69fa3c9043d75f49eb55a7113d502"],
])("%j is found", (text, value) => {
  expect(scrubbed(text)).not.toContain(value);
});

test("what is left of a word at the edge of what is looked at announces nothing", () => {
  for (const word of ["parcel", "hotel", "ordering"])
    for (let more = 36; more < 45; more++) {
      const text = `the ${word} and ${"o".repeat(more)} 50468 1258 then`;
      expect(scrubbed(text), text).toBe(text);
    }
});

test.each([
  'class="sk-9ucnf-button-primary-large"',
  "AKIAAAAABBBBAAAABBBB",
  "at 12:30:45: started",
  "a::b: c",
  "std::map<K, V>: 12",
  "we saw 100 / 200000 rows",
  "the ratio was 15 / 1000000",
  "gsm 900 1800 1900 MHz",
  "set token expiry to 3600",
  "set the key 3 times",
  "secret:\n  value: prod\n",
  "token:\n  value: string\n",
  '{"cpf_count":"12345678901"}',
  "tel_count = 4376148",
  "éSSN: 155278663",
  "-\t2025010111\n+\t2025010112\n+2025010112",
  "x +10.1.2.3",
  "const cellWidth = 1234567;",
  "orderNumber: 974980472",
  "numero de orden: 1234567",
  '{"cookie":"^0.7.1"}',
  "don&#39;t &#8217; A&#38;B &#169; \\u00e9",
  "ราคา ๑๒๓ บาท",
  "السعر ١٢٫٥ في ٢٠٢٤-٠١-٠١",
  '{"label":"Order","value":"974980472"}',
  "<tr><th>Token</th><td>required</td></tr>",
  "<secret>the name of the store</secret>",
  "The secret\nis out: nobody reads this",
  "3595 6256 6603 5521",
  "https://docs.test/x?key=9e4635bcdc25d385462b30115d9a7b11",
  '{"ein_wert":"123456789"}',
  '{"telefon_typ":"mobil"}',
  '{"phone_type_numbers":"12"}',
])("%j stays", (text) => {
  expect(scrubbed(text)).toBe(text);
});

const LINES = [
  "-----BEGIN PRIVATE KEY-----",
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49",
  "AwEHBG0wawIBAQQg",
  "-----END PRIVATE KEY-----",
];

test.each([
  ["numbers of lines", LINES.map((line, at) => `${String(at + 1).padStart(6)}→${line}`).join("\n"), "     1→PEM"],
  ["a bar behind them", LINES.map((line, at) => ` ${at + 9}| ${line}`).join("\n"), " 9| PEM"],
  ["quoting", LINES.map((line) => `> ${line}`).join("\n"), "> PEM"],
  ["strings put together", LINES.map((line) => String.raw`"${line}\n"`).join(" +\n"), String.raw`"PEM\n"`],
  ["nothing", LINES.join("\n"), "PEM"],
])("a private key with %s in front of its lines is one", (_, text, expected) => {
  const out = scrubbed(text);
  expect(out.replace(/_[a-z]{4}_[a-z]{16}/, "")).toBe(expected);
  expect(out.match(/PEM_\w+/)?.[0]).toBe(scrubbed(LINES.join("\n")));
  expect(scrubbed(out)).toBe(out);
});

test("a private key as an array of lines, or of SSH2", () => {
  const out = scrubbed(JSON.stringify({ lines: [...LINES, "after"] }));
  expect(out.replace(/_[a-z]{4}_[a-z]{16}/g, "")).toBe(
    '{"lines":["PEM","AUTH","AUTH","-----END PRIVATE KEY-----","after"]}',
  );
  expect(scrubbed(out)).toBe(out);
  const marks = scrubbed('{"marks":["-----BEGIN RSA PRIVATE KEY-----","word","aVeryLongWordBehindIt"]}');
  expect(marks).toContain('"word","aVeryLongWordBehindIt"');
  const ssh2 = `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "x"\n${LINES[1]}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`;
  expect(scrubbed(ssh2)).toMatch(/^PEM_[a-z]{4}_[a-z]{16}$/);
});

test.each([
  'if (pem.startsWith("-----BEGIN CERTIFICATE-----")) {\n  return parse(pem);\n}',
  "PWD=/home/user/project\nHOME=/home/user",
  "GOOGLE_APPLICATION_CREDENTIALS=/etc/gcp/key-file-2.json",
  '{"pwd":"/home/app"}',
  '{"marks":["-----END RSA PRIVATE KEY-----","hello","a longer word than that"]}',
  '{"credentials":"same-origin"}',
  '{"max_token":8192,"cached_token":10240}',
  '{"pagination_token":"ftmN0GkZWyTQae0mNFQljKmbNOcvpbGkP6F8WxcQ"}',
  '{"token":"Berlin","label":"LOC"}',
  '{"token":"keyword.control"}',
  '{"errors":{"password":["is too short (minimum is 8 characters)"]}}',
  '{"password":"Forgot your password?"}',
  '{"question":"How do I reset my password?","answer":"Click"}',
  '{"project_key":"PROJ","projectKey":"ENG","user_key":"alice","storage_key":"avatars/2024/a.png"}',
  '{"session_key":"agent:main:main","service_key":"billing","secret":"db-credentials","secrets":["db","api"]}',
  '{"otp":"disabled"}',
  '{"env":{"GITHUB_TOKEN":"${GITHUB_TOKEN}","API_KEY":"$API_KEY"},"headers":{"authorization":"Bearer {{ token }}"}}',
  '{"api_key":"<YOUR_API_KEY>","token":"YOUR_TOKEN","password":"[REDACTED]","secret":"***"}',
  '{"apiKey":"sk-...","accessToken":"process.env.API_KEY","password":"op://vault/my item/field"}',
  '{"q":"1kr4ZUgNYKHLN1jlJQocZbL_5K3yqit7DGJQHR7Q5wEp","n":1,"e":"a"}',
  "https://h.test/?k=1kr4ZUgNYKHLN1jlJQocZbL_5K3yqit7DGJQHR7Q5wEp",
  '{"sessionId":"0b8f1c9e-7a3e-4b3e-9a53-1f2d3c4b5a69"}',
  '{"pass":"all good"}',
  '{"address":"localhost:8080"}',
  '{"cell_address":"Sheet1!B7"}',
  "apiKey: import.meta.env.VITE_API_KEY_2",
  "Started user@1000.service, getty@tty1.service",
  "attn = q@k.transpose(-2,-1)",
  "chunk@vendor.js",
  "FileVersion=1.2.3.4",
  'AssemblyVersion("1.0.0.0")',
  "gem 'rails', '7.0.4.3'",
  "birthday party on 2026-03-12",
  "24 Hour Road service",
  "counts[token]=counts2.get(token)",
  "La contraseña es obligatoria",
  "asst_YT5OVz2PnenhaNVLeglxUph5",
  "id senhaNVLeglxUph5x",
  "a resenha Xk29LeglxUph5",
])("stays: %s", (text) => expect(scrubbed(text)).toBe(text));

test.each([
  ['{"password":"correct horse battery staple"}', "horse"],
  ['{"password":"Your password is sunshine"}', "sunshine"],
  ['{"pwd":"/x9Kd8sEw/"}', "x9Kd8sEw"],
  ['{"d":"1kr4ZUgNYKHLN1jlJQocZbL_5K3yqit7DGJQHR7Q5wEp","kty":"EC"}', "1kr4ZUgNYKHLN"],
  ['{"project_key":"phc_w8K2"}', "phc_w8K2"],
  ['{"session_key":"kQwXyZ"}', "kQwXyZ"],
  ['{"secret":"sunshine"}', "sunshine"],
  ['{"client_secret":"db-credentials"}', "credentials"],
  ['{"api_key":"PROJ"}', "PROJ"],
  ['{"password":"$PASSW0RD"}', "PASSW0RD"],
  ['{"password":"$ecret"}', "ecret"],
  ['{"password":"<hunter2>"}', "hunter2"],
  ['{"password":"${DB_PASSWORD:-hunter2}"}', "hunter2"],
  ['{"password":"Hunter..."}', "Hunter"],
  ["https://h.example/?token=Berlin", "Berlin"],
  ["conversion 8.8.8.8", "8.8.8.8"],
  ["see alice@example.com.txt", "alice"],
  ["mail alice@b.com(work)", "alice"],
])("still goes: %s", (text, value) => expect(scrubbed(text)).not.toContain(value));

test.each([
  // fields of a page that an agent fills
  ["await page.fill('#password', 'Hunter2!xyz')", "Hunter2!xyz"],
  ["await page.fill('#login-password', 'Hunter2!xyz')", "Hunter2!xyz"],
  [`page.type('input[name="password"]', 'Hunter2!xyz')`, "Hunter2!xyz"],
  [`page.getByLabel("Password").fill("Hunter2!xyz")`, "Hunter2!xyz"],
  [`page.locator('#password').fill('Hunter2!xyz');`, "Hunter2!xyz"],
  [`driver.find_element(By.ID, "password").send_keys("Hunter2!xyz")`, "Hunter2!xyz"],
  [`cy.get('[name=password]').type('Hunter2!xyz')`, "Hunter2!xyz"],
  // a key without a word between
  ["Here's my API key aB3dE5gH7jK9mN2pQ4rS6t", "aB3dE5gH7jK9mN2pQ4rS6t"],
  ["Use this token aB3dE5gH7jK9mN2pQ4rS6t please", "aB3dE5gH7jK9mN2pQ4rS6t"],
  ["the access token 'aB3dE5gH7jK9mN2pQ4rS6t' works", "aB3dE5gH7jK9mN2pQ4rS6t"],
  // application passwords
  ['GMAIL_APP_PASSWORD="abcd efgh ijkl mnop"', "abcd efgh ijkl mnop"],
  ["app_password: abcd efgh ijkl mnop\n", "abcd efgh ijkl mnop"],
  ["WP_APP_PASSWORD='MhLN IoXP o893 xkPa eoFo svfK'", "MhLN IoXP o893 xkPa eoFo svfK"],
  // data sources
  ["root:Hunter2!xyz@tcp(127.0.0.1:3306)/db", "Hunter2!xyz"],
  [`db, err := sql.Open("mysql", "root:Hunter2!xyz@unix(/tmp/my.sock)/db")`, "Hunter2!xyz"],
  [
    "Authorization: AWS4-HMAC-SHA256 Credential=A/2025/s3, SignedHeaders=host;x-amz-date, Signature=e57011a1b2c3",
    "e57011a1b2c3",
  ],
  // what is taken where a variable is not set
  [`const key = process.env.API_KEY || "abcDEF123456ghiJKL789";`, "abcDEF123456ghiJKL789"],
  [`const k = process.env.DB_PASSWORD ?? 'Hunter2!xyz'`, "Hunter2!xyz"],
])("%s", (text, value) => {
  expect(scrubbed(text)).not.toContain(value);
});

test.each([
  `page.fill('#email', 'somebody-else9')`,
  `page.getByLabel("City").fill("Amsterdam99")`,
  `page.getByText("Forgot password?").click("somebody9")`,
  `const token = a || "none";`,
  "password || user.name",
  "the cache key aB3dE5gH7jK9mN2pQ4rS6t",
  "next page token aB3dE5gH7jK9mN2pQ4rS6t",
  "the API key AbstractSingletonProxyFactoryBean",
  'password: "must have four long enough words"',
  'newPassword = "type your pass word here";',
  "is the token 5?? or 'abcdefgh12'",
])("nothing in %s", (text) => {
  expect(scrubbed(text)).toBe(text);
});
