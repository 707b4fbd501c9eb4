// Where secrets stand: files, commands, requests, addresses. Made from the documentation of the programs that read
// them, with values from a seed; nothing is copied from anywhere. Licence: that of this repository.
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const WORD = `${LETTERS}0123456789`;
const BASE64 = `${WORD}+/`;
const URL_SAFE = `${WORD}_-`;

const NAMES =
  "DB_PASSWORD SECRET_KEY_BASE JWT_SECRET STRIPE_API_KEY AWS_SECRET_ACCESS_KEY SMTP_PASS REDIS_PASSWORD APP_KEY NEXTAUTH_SECRET SESSION_SECRET ENCRYPTION_KEY API_TOKEN GITHUB_TOKEN CLIENT_SECRET PRIVATE_KEY MYSQL_ROOT_PASSWORD RABBITMQ_DEFAULT_PASS DJANGO_SECRET_KEY TWILIO_AUTH_TOKEN ACCESS_TOKEN REFRESH_TOKEN WEBHOOK_SECRET SIGNING_KEY COOKIE_SECRET VAULT_TOKEN MASTER_KEY KEYSTORE_PASSWORD LDAP_BIND_PASSWORD HMAC_KEY DATADOG_API_KEY SENTRY_AUTH_TOKEN TF_VAR_db_password AZURE_CLIENT_SECRET ACCOUNT_KEY PGPASSWORD SNOWFLAKE_PWD CONSUMER_SECRET BOT_TOKEN LICENSE_KEY ROOT_PW WIFI_PSK".split(
    " ",
  );
const camel = (name) => name.toLowerCase().replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const low = (name) => name.toLowerCase();
const dashed = (name) => name.toLowerCase().replaceAll("_", "-");
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** A name and its value: `[class, text, content type]`. */
export const SETTINGS = [
  ["env", (n, v) => `# settings\nDEBUG=true\n${n}=${v}\nPORT=8080`],
  ["env, quoted", (n, v) => `${n}="${v}"`],
  ["shell export", (n, v) => `export ${n}='${v}'`],
  ["shell default", (n, v) => `\${${n}:-${v}}`],
  ["cmd set", (n, v) => `set ${n}=${v}`],
  ["PowerShell", (n, v) => `$env:${n} = "${v}"`],
  ["fish", (n, v) => (n.includes("_") ? `set -x ${n} ${v}` : null)],
  ["Dockerfile ENV", (n, v) => (n.includes("_") ? `ENV ${n} ${v}` : null)],
  ["Dockerfile ARG", (n, v) => `ARG ${n}=${v}`],
  ["docker run", (n, v) => `docker run -e ${n}=${v} -p 80:80 nginx`],
  ["docker inspect", (n, v) => JSON.stringify([{ Config: { Env: ["PATH=/usr/bin", `${n}=${v}`] } }]), JSON_TYPE],
  ["compose, list", (n, v) => `environment:\n  - ${n}=${v}\n  - A=b`],
  ["compose, map", (n, v) => `environment:\n  ${n}: ${v}\n  A: b`],
  ["Kubernetes env, JSON", (n, v) => JSON.stringify({ env: [{ name: n, value: v }] }), JSON_TYPE],
  ["Kubernetes env, YAML", (n, v) => `env:\n  - name: ${n}\n    value: "${v}"\n`],
  ["systemd", (n, v) => `[Service]\nEnvironment="${n}=${v}"`],
  ["tfvars", (n, v) => `${low(n)} = "${v}"`],
  ["INI", (n, v) => `[main]\n${low(n)} = ${v}\n`],
  ["TOML", (n, v) => `[auth]\n${low(n)} = "${v}"`],
  ["properties", (n, v) => `app.${low(n).replaceAll("_", ".")}=${v}`],
  ["JavaScript", (n, v) => `const config = { ${camel(n)}: "${v}", port: 3 };`],
  ["Java", (n, v) => `private static final String ${n} = "${v}";`],
  ["C", (n, v) => (n.includes("_") ? `#define ${n} "${v}"` : null)],
  ["Kotlin", (n, v) => `val ${camel(n)}: String = "${v}"`],
  ["C#", (n, v) => `public string ${camel(n)} { get; set; } = "${v}";`],
  ["Objective-C", (n, v) => `NSString *${camel(n)} = @"${v}";`],
  ["Rust", (n, v) => `let ${low(n)}: &str = "${v}";`],
  ["Lua", (n, v) => `${low(n)} = [[${v}]]`],
  ["setter", (n, v) => (/\d/.test(v) ? `client.with_${low(n)}("${v}");` : null)],
  ["environment by name", (n, v) => `os.environ["${n}"] = "${v}"`],
  ["Spring", (n, v) => `@Value("\${app.${low(n)}:${v}}")`],
  ["JVM", (n, v) => `java -D${camel(n)}=${v} -jar x.jar`],
  ["Helm", (n, v) => `helm install x --set db.${camel(n)}=${v}`],
  ["YAML block", (n, v) => `${low(n)}: |-\n  ${v}\n`],
  ["bold letters", (n, v) => `**${n}:** ${v}`],
  ["Python call", (n, v) => `connect(host="db", ${low(n)}='${v}')`],
  ["Python dict", (n, v) => `{'${low(n)}': '${v}'}`],
  ["Ruby hash", (n, v) => `{ :${low(n)} => "${v}" }`],
  ["PHP define", (n, v) => `define('${n}', '${v}');`],
  ["PHP array", (n, v) => `'${low(n)}' => '${v}',`],
  ["XML element", (n, v) => `<${low(n)}>${v.replace(/[<&]/g, "_")}</${low(n)}>`],
  ["XML attribute", (n, v) => `<add key="${n}" value="${v}" />`],
  ["option =", (n, v) => `tool --${dashed(n)}=${v} run`],
  ["option", (n, v) => `tool --${dashed(n)} ${v} run`],
  ["JSON", (n, v) => JSON.stringify({ [n]: v }), JSON_TYPE],
  ["JSON in a string of code", (n, v) => `payload: "{\\"${low(n)}\\":\\"${v}\\"}"`],
  ["Markdown table", (n, v) => `| ${n} | ${v} |`],
  ["query", (n, v) => `https://api.example.com/v1/x?${low(n)}=${encodeURIComponent(v)}&a=1`],
  ["log", (n, v) => `2024-01-02T03:04:05Z INFO starting ${low(n)}=${v} host=a`],
  ["prose", (n, v) => `Here is my ${low(n).replaceAll("_", " ")}: ${v} please use it`],
];

/** A password, `p`, or a random token, `t`, in a place of its own. `b64`: base64 of a text. */
const b64 = (text) => Buffer.from(text).toString("base64");
export const PLACES = [
  ["Kubernetes secret", ({ p }) => [`kind: Secret\ndata:\n  password: ${b64(p)}\n`, b64(p)]],
  [
    "Docker auth",
    ({ p }) => [JSON.stringify({ auths: { "index.docker.io": { auth: b64(`u:${p}`) } } }), b64(`u:${p}`), JSON_TYPE],
  ],
  ["Terraform state", ({ p }) => [JSON.stringify({ attributes: { id: "db-1", password: p } }), p, JSON_TYPE]],
  ["npmrc", ({ t }) => [`//registry.npmjs.org/:_authToken=${t}`, t]],
  ["npmrc password", ({ p }) => [`//reg.example.com/:_password="${b64(p)}"`, b64(p)]],
  ["pypirc", ({ p }) => [`[pypi]\nusername = __token__\npassword = ${p}`, p]],
  ["netrc", ({ p }) => [`machine api.example.com login bob password ${p}`, p]],
  ["my.cnf", ({ p }) => [`[client]\nuser=root\npassword=${p}`, p]],
  ["Maven", ({ u }) => [`<server><username>bob</username><password>${u}</password></server>`, u]],
  ["ODBC", ({ p }) => [`Driver={ODBC Driver 18};Server=tcp:x.example.net;Uid=bob;Pwd=${p};Encrypt=yes;`, p]],
  ["ADO", ({ p }) => [`Server=db;Database=d;User Id=sa;Password=${p};`, p]],
  ["JDBC", ({ u }) => [`jdbc:postgresql://db:5432/x?user=bob&password=${u}`, u]],
  ["JDBC, Oracle", ({ u }) => [`jdbc:oracle:thin:scott/${u}@//db:1521/orcl`, u]],
  ...[
    "postgres",
    "mysql",
    "amqps",
    "rediss",
    "mongodb+srv",
    "sftp",
    "smtp",
    "clickhouse",
    "nats",
    "postgresql+psycopg2",
    "socks5",
  ].map((scheme) => [`${scheme}://`, ({ u }) => [`${scheme}://bob:${u}@host.example.com:1234/db`, u]]),
  ["redis, password only", ({ u }) => [`redis://:${u}@host:6379/0`, u]],
  ["git remote", ({ u }) => [`origin\thttps://bob:${u}@github.com/a/b.git (fetch)`, u]],
  [
    "Azure storage",
    ({ k }) => [`DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${k};EndpointSuffix=core.windows.net`, k],
  ],
  [
    "Service Bus",
    ({ k }) => [`Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${k}`, k],
  ],
  [
    "SAS",
    ({ k }) => [
      `https://x.blob.core.windows.net/c/b?sv=2022-11-02&sr=b&sig=${encodeURIComponent(k)}`,
      encodeURIComponent(k),
    ],
  ],
  ["S3, version 4", ({ h }) => [`https://b.s3.amazonaws.com/k?X-Amz-Date=20240101T000000Z&X-Amz-Signature=${h}`, h]],
  [
    "S3, version 2",
    ({ k }) => [
      `https://b.s3.amazonaws.com/k?Expires=1700000000&Signature=${encodeURIComponent(k)}`,
      encodeURIComponent(k),
    ],
  ],
  ["GCS", ({ h }) => [`https://storage.googleapis.com/b/o?X-Goog-SignedHeaders=host&X-Goog-Signature=${h}`, h]],
  ["CloudFront", ({ s }) => [`https://d1.cloudfront.net/x?Expires=1700000000&Signature=${s}~&Key-Pair-Id=K1`, s]],
  ["OAuth code", ({ t }) => [`https://app.example.com/cb?code=${t}&state=x`, t]],
  ["OAuth fragment", ({ t }) => [`https://app.example.com/#access_token=${t}&token_type=bearer`, t]],
  [
    "OAuth answer",
    ({ t }) => [JSON.stringify({ access_token: t, token_type: "bearer", expires_in: 3600 }), t, JSON_TYPE],
  ],
  ["otpauth", ({ o }) => [`otpauth://totp/Ex:bob?secret=${o}&issuer=Ex`, o]],
  [
    "SAML",
    ({ p }) => [
      `SAMLResponse=${encodeURIComponent(b64(`<Response ID="${p}">`))}&RelayState=x`,
      b64(`<Response ID="${p}">`).slice(0, 20),
      FORM_TYPE,
    ],
  ],
  ["curl bearer", ({ t }) => [`curl -H "Authorization: Bearer ${t}" https://api.example.com`, t]],
  ["curl key", ({ t }) => [`curl -X POST -H 'X-API-Key: ${t}' https://api.example.com`, t]],
  ["curl -u", ({ u }) => [`curl -u bob:${u} https://api.example.com`, u]],
  ["curl --proxy-user", ({ u }) => [`curl --proxy-user bob:${u} https://x.example`, u]],
  ["curl --oauth2-bearer", ({ t }) => [`curl --oauth2-bearer ${t} https://x.example`, t]],
  ["curl form", ({ u }) => [`curl -d 'username=bob&password=${u}' https://x.example`, u]],
  ["curl JSON", ({ u }) => [`curl -d '{"password":"${u}"}' https://x.example`, u]],
  ["curl cookie", ({ t }) => [`curl -b "session=${t}" https://x.example`, t]],
  ["wget", ({ u }) => [`wget --user=bob --password='${u}' https://x.example`, u]],
  ["HTTPie", ({ u }) => [`http -a bob:${u} GET https://x.example`, u]],
  ["mysql", ({ u }) => [`mysql -u root -p${u} -h db mydb`, u]],
  ["psql", ({ u }) => [`PGPASSWORD=${u} psql -h db -U bob`, u]],
  ["sshpass", ({ u }) => [`sshpass -p '${u}' ssh bob@host`, u]],
  ["redis-cli", ({ u }) => [`redis-cli -h host -a ${u} ping`, u]],
  ["docker login", ({ u }) => [`docker login -u bob -p ${u} registry.example.com`, u]],
  ["openssl", ({ u }) => [`openssl enc -aes-256-cbc -pass pass:${u}`, u]],
  [
    "HTTP dump, bearer",
    ({ t }) => [`GET /v1/x HTTP/1.1\r\nHost: a.example.com\r\nAuthorization: Bearer ${t}\r\n\r\n`, t],
  ],
  [
    "HTTP dump, basic",
    ({ p }) => [`GET / HTTP/1.1\r\nAuthorization: Basic ${b64(`bob:${p}`)}\r\n\r\n`, b64(`bob:${p}`)],
  ],
  ["HTTP dump, cookie", ({ t }) => [`GET / HTTP/1.1\r\nCookie: sessionid=${t}; theme=dark\r\n\r\n`, t]],
  ["HTTP dump, set-cookie", ({ t }) => [`HTTP/1.1 200 OK\r\nSet-Cookie: connect.sid=s%3A${t}; Path=/\r\n\r\n`, t]],
  [
    "signature, version 4",
    ({ h }) => [
      `Authorization: AWS4-HMAC-SHA256 Credential=x/20240101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=${h}`,
      h,
    ],
  ],
  [
    "multipart",
    ({ u }) => [
      `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${u}\r\n--x--\r\n`,
      u,
      "multipart/form-data; boundary=x",
    ],
  ],
  [
    "PuTTY",
    ({ k, l }) => [
      `PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\n${l}\nPrivate-Lines: 1\n${k}\nPrivate-MAC: 00`,
      k,
    ],
  ],
  ["WireGuard", ({ k }) => [`[Interface]\nPrivateKey = ${k}\nAddress = 10.0.0.1/24`, k]],
  ["WireGuard, shared", ({ k }) => [`PresharedKey = ${k}`, k]],
  ["JWK", ({ s }) => [JSON.stringify({ kty: "RSA", e: "AQAB", d: s }), s, JSON_TYPE]],
  ...["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"].flatMap((kind) => [
    [`PEM, ${kind}`, ({ l, k }) => [`x\n-----BEGIN ${kind}-----\n${l}\n${k}\n-----END ${kind}-----\n`, l]],
    [
      `PEM with \\n, ${kind}`,
      ({ l, k }) => [`KEY="-----BEGIN ${kind}-----\\n${l}\\n${k}\\n-----END ${kind}-----\\n"`, l],
    ],
    [
      `PEM in JSON, ${kind}`,
      ({ l, k }) => [JSON.stringify({ c: `-----BEGIN ${kind}-----\n${l}\n${k}\n-----END ${kind}-----` }), l, JSON_TYPE],
    ],
    [
      `PEM in YAML, ${kind}`,
      ({ l, k }) => [`key: |\n  -----BEGIN ${kind}-----\n  ${l}\n  ${k}\n  -----END ${kind}-----\n`, l],
    ],
  ]),
  ["Slack", ({ t, U }) => [`https://hooks.slack.com/services/T${U}/B${U}/${t.slice(0, 24)}`, t.slice(0, 24)]],
  ["Discord", ({ s, d }) => [`https://discord.com/api/webhooks/${d}/${s.slice(0, 68)}`, s.slice(0, 68)]],
  [
    "Teams",
    ({ h, i }) => [
      `https://x.webhook.office.com/webhookb2/${i}@${i}/IncomingWebhook/${h.slice(0, 32)}/${i}`,
      h.slice(0, 32),
    ],
  ],
  [
    "Telegram",
    ({ s, d }) => [`https://api.telegram.org/bot${d.slice(0, 10)}:AA${s.slice(0, 33)}/sendMessage`, s.slice(0, 33)],
  ],
  ["bcrypt", ({ t }) => [`bob:$2b$12$${t.repeat(2).slice(0, 53)}`, t.slice(0, 20)]],
  ["SQL", ({ u }) => [`CREATE USER 'bob'@'%' IDENTIFIED BY '${u}';`, u]],
  ["SQL role", ({ u }) => [`CREATE USER bob WITH PASSWORD '${u}';`, u]],
  ["seed phrase", ({ w }) => [`seed phrase: ${w}`, w]],
  ["card's code", ({ d }) => [`CVV: ${d.slice(0, 3)}`, d.slice(0, 3)]],
  ...[
    "Passwort",
    "mot de passe",
    "contraseña",
    "senha",
    "пароль",
    "パスワード",
    "密码",
    "wachtwoord",
    "hasło",
    "şifre",
  ].map((word) => [word, ({ u }) => [`${word}: ${u}`, u]]),
  ["said", ({ u }) => [`hey, my password is ${u} and the user is bob`, u]],
  ["said in German", ({ u }) => [`Das Kennwort lautet ${u}`, u]],
];

const SEED =
  "abandon ability able about above absent absorb abstract absurd abuse access accident acid zone write".split(" ");

/** Passwords as people make them, with signs or without, and what a machine makes. */
function password(dice) {
  return dice.pick([
    () =>
      `${dice.pick(["Tr0ub4dor", "Winter", "Blue-Horse", "kGh7"])}${dice.pick(["&", "!", "#", "$", "%"])}${dice.digits(3)}${dice.from(WORD, 3)}`,
    () => dice.from(WORD, 16),
    () => `${dice.from(LETTERS, 8)}-${dice.from(WORD, 6)}`,
    () => `${dice.pick(["s3cr3t", "p4ss", "hunter2"])}${dice.from(WORD, 6)}!`,
  ])();
}

/** `[class, text, value, content type]` for each setting and each place, from one throw of the dice. */
export function secretCarriers(dice) {
  const value = dice.pick([() => password(dice), () => dice.from(WORD, dice.between(20, 40))])();
  const name = dice.pick(NAMES);
  const settings = SETTINGS.flatMap(([kind, write, mime]) => {
    const text = write(name, value);
    return text === null ? [] : [[kind, text, kind === "query" ? encodeURIComponent(value) : value, mime]];
  });
  const p = password(dice);
  const h = dice.hex(64);
  const parts = {
    p,
    // where a sign would end the place
    u: p.replace(/[^\w!$-]/g, "_"),
    t: dice.from(WORD, dice.between(28, 40)),
    k: `${dice.from(BASE64, 43)}=`,
    l: dice.from(BASE64, 64),
    s: dice.from(URL_SAFE, 100),
    h,
    d: dice.digits(18),
    o: dice.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32),
    U: dice.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 9),
    i: `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(12, 15)}-a${h.slice(15, 18)}-${h.slice(18, 30)}`,
    w: Array.from({ length: 12 }, () => dice.pick(SEED)).join(" "),
  };
  return [...settings, ...PLACES.map(([kind, write]) => [kind, ...write(parts)])];
}
