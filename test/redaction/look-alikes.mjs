// What must stay: numbers and names that look like a value, and prose and code about secrets. Made here, with values
// from a seed. Licence: that of this repository.
const WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Forms: `9` a digit, `f` a hexadecimal one, `W` a letter or digit; in `{}` they stand for themselves. */
const FORMS = [
  "{request }ffffffff{-}ffff{-4}fff{-a}fff{-}ffffffffffff{ failed}",
  "{commit }ffffffffffffffffffffffffffffffffffffffff{ (HEAD)}",
  "{nginx@sha256:}ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  '{ETag: "}ffffffffffffffffffffffffffffffff{"}',
  ..."call_ toolu_01 chatcmpl- resp_ msg_01 req_ run_ thread_ asst_ file- batch_ cus_ pi_ sub_ evt_ in_ ch_"
    .split(" ")
    .map((prefix) => `{see ${prefix}}WWWWWWWWWWWWWWWWWWWWWWWW{ there}`),
  "{at 2024-03-1}9{T10:2}9{:3}9{.}999{Z}",
  "{ts=17}99999999",
  "{Order #}9999999{ shipped}",
  "{Invoice INV-2024-}99999",
  "{JIRA-}9999{ and PROJ-}99999",
  "{v}9{.}99{.}9{-beta.}9",
  "{Chrome/1}99{.0.0.0 Safari/537.36}",
  "{costs $}999{.}99{ or €}9{,}999{.}99",
  "{45.}999999{, -12}9{.}999999",
  "{color: #}ffffff{; background: #}fff",
  "{const MAX = }999999999{; x = 0x}ffffffff{; y = }999{_}999{_}999{;}",
  "{ISBN 978-}9{-}99{-}999999{-}9",
  "{tracking number 9400}999999999999999999",
  "{sum }9999999{ + }9999999",
  "{| }9999{ | }999999{ | }99{.}99{ |}",
  "{0.}999999999999",
  "{doi:10.}9999{/j.}9999{.}99",
  "{arXiv:24}99{.}99999",
  "{CVE-2024-}99999",
  "{S/N: ABC}99999999",
  "{flight LH}999{ gate B}99",
  "{[}99999{.}999999{] usb 1-1.2: new device number }9",
  "{10.0.0.0/8 and 192.168.0.0/16 at }9",
];

const PROSE = `Enter your password: then press return
password: must be at least 8 characters with 1 digit
The API key is stored in the vault.
The token is refreshed every 3600 seconds.
token: string; // opaque
const token = await getAccessToken(user, 'read');
apiKey: process.env.OPENAI_API_KEY,
secret: \${{ secrets.DEPLOY_KEY }}
API_KEY=your-api-key-here
export TOKEN=<your token>
password: ********
max_tokens: 4096, total_tokens: 1234, prompt_tokens: 88
The secret is out: Rust2024 is here
the key is to-be-determined by v1.2.3
Authorization: Bearer $TOKEN
--password-file /run/secrets/db
--api-key $OPENAI_API_KEY --verbose
docker run -p 8080:80 -e FOO=bar nginx
mkdir -p /var/lib/app2024
git commit -a -m 'v2'
ssh -p 2222 host
cp -p file1.txt file2.txt
mysql -p -u root
<password>Enter your password</password>
<token>string</token>
<Key>logs/2024/01/file1.txt</Key>
| token | description |
| API_KEY | your OpenAI key |
expect(['password', 'username'])
fields: ['token', 'expires_at', 'user_id2']
setItem('token', token)
('password', 'min:8|confirmed')
password_hash = bcrypt.hash(password, 10)
The password is case-sensitive.
passwords are hashed with SHA256-RSA
a secret is something you keep
token is invalid: expired_at 2024-01-01
Signature: HMAC-SHA256(key, message)
?code=US&state=CA
?sort=created_at&page=2&limit=50
primary key: user_id_2024
sort key is created_at_2024
cache_key: user:1234:profile
keyboard is QWERTZ1234layout
the turkey is 12pounds-heavy
mnemonic: easy to remember words
passphrase: choose one you like
cvv: required, 3 digits
mac OS 10.15.7 and mac mini 2023
call 3 times with 100 items
born in 1985 in Graz
passport expires 2029-01-01
license: Apache-2.0
netmask 255.255.255.0
std::vector<int>::iterator
ENV NODE_ENV production2024
ENV PATH /usr/local/bin:$PATH
IDENTIFIED BY the auditor in 2023
$1 $2 $3
price $25.00 each, $2b valuation, $5 off, $6m
'authorization', 'api-key', 'openai-organization'
'Server' | 'Set-Cookie' | 'Set-Cookie2'
error code is 404123
the code 1234 lines long
in 2024 we sold 4821 items
zip code 94043 and area code 4155
discount code: 20241
account 12345678 was closed
token, secret, and so on
a bearer of 16 letters1234567 or so
look at the end (at) last
50%25 of 100%
src/a.ts:5432:foo:bar:baz
Update the record of 2024 (1987)
INSERT INTO t (a, b) VALUES ('x', 'y')
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 user@host1`.split("\n");

function written(dice, form) {
  return form
    .split(/(\{[^}]*\})/)
    .map((part) =>
      part.startsWith("{")
        ? part.slice(1, -1)
        : part.replace(/[9fW]/g, (kind) =>
            kind === "9" ? dice.digits(1) : kind === "f" ? dice.hex(1) : dice.from(WORD, 1),
          ),
    )
    .join("");
}

/** `[text, content type]` from one throw of the dice. */
export function lookAlikes(dice) {
  const forms = FORMS.map((form) => [written(dice, form)]);
  const prose = PROSE.flatMap((line) => [
    [line],
    [`Note that ${line} and so on.`],
    [JSON.stringify({ content: line }), "application/json"],
  ]);
  return [...forms, ...prose];
}
