// Lines as tools print them and code holds them, in which nothing is secret or personal. Made here; the forms are those
// of git, package managers, logs of servers and clusters. Licence: that of this repository.
const two = (number) => String(number).padStart(2, "0");
const time = (d) => `${two(d.between(0, 23))}:${two(d.between(0, 59))}:${two(d.between(0, 59))}`;
const word = (d) => d.pick("session api csrf refresh upload reset page device push access".split(" "));
const Word = (d) => word(d).replace(/^./, (letter) => letter.toUpperCase());

const LINES = [
  (d) => `Date:   Mon Jul ${d.between(1, 28)} ${time(d)} 20${d.between(10, 29)} -0${d.between(1, 9)}00`,
  (d) => `index ${d.hex(7)}..${d.hex(7)} 100644`,
  (d) => `:100644 100644 ${d.hex(7)} ${d.hex(7)} M\tsrc/a.ts`,
  (d) => `:000000 100644 0000000 ${d.hex(7)} A\tsrc/b.ts`,
  (d) => `@@ -${d.digits(3)},${d.digits(2)} +${d.digits(3)},${d.digits(2)} @@`,
  (d) => `${d.hex(8)} (a 2024-0${d.between(1, 9)}-1${d.digits(1)} ${time(d)} +0200 ${d.digits(3)}) "PASSPORT",`,
  (d) => `commit ${d.hex(40)}`,
  (d) => `08${d.digits(4)} 0${d.digits(5)} ${d.digits(5)} INFO dfs.DataNode: served`,
  (d) => `api.log 2017-05-16 ${time(d)}.${d.digits(3)} ${d.digits(5)} INFO server [-] done`,
  (d) =>
    `[0${d.between(1, 9)}0${d.between(1, 9)}/1${d.between(0, 9)}${d.between(10, 59)}${d.between(10, 59)}:WARNING:dns.cc(306)]`,
  (d) => `requires "brotlicffi (>=${d.between(1, 9)}.${d.digits(1)}.0.0)"`,
  (d) => `lockfile>=0.${d.between(1, 99)}.0.0,<0.${d.between(1, 99)}.0.0`,
  (d) => `+    "node_modules/ws": { "version": "${d.between(1, 9)}.${d.digits(2)}.${d.digits(1)}" },`,
  (d) => `left-pad@${d.between(1, 9)}.${d.digits(1)}.${d.digits(1)}`,
  (d) => `${d.digits(4)}@worker-${d.digits(1)}.eu.example.com started`,
  (d) => `dist/app.${d.hex(8)}.js  dist/chunk-${d.hex(20)}.css`,
  (d) => `IMG_2024010${d.between(1, 9)}_${d.digits(6)}.jpg`,
  (d) => `const ${word(d)}Token = generate${Word(d)}Token();`,
  (d) => `const token = await client.create${Word(d)}Token(user${d.digits(1)}, "read");`,
  (d) => `let secret = crypto.randomBytes(${d.between(16, 64)}).toString("hex");`,
  (d) => `password_hash = sha${d.pick([256, 512])}_hex(value)`,
  () => `basic_auth = base64.b64encode(b"a:b").decode()`,
  (d) => `self.push_token(Token::${Word(d)}Prefix)?;`,
  (d) => `createFrom${Word(d)}Credential: credentials_1.CallCredentials.createFrom${Word(d)}Credential,`,
  (d) => `u.totp_secret = ROTP::Base32.random # ${d.digits(2)}`,
  (d) => ((name) => `export const X_${name.toUpperCase()}_TOKEN = "x-${name}-token";`)(word(d)),
  (d) => `"logprobs":{"content":[{"token":" ${word(d)}","logprob":-0.${d.digits(6)}}]}`,
  (d) => `Bad activity token: android.os.BinderProxy@${d.hex(7)},E25`,
  (d) => `Remoting started on akka.tcp://sparkExecutorActorSystem@mesos-slave-${d.digits(2)}:${d.digits(5)}`,
  (d) => `f"{scheme}://{username}:{password}@{host}" # ${d.digits(2)}`,
  (d) => `-A PREROUTING -s 2404:a140:${d.hex(2)}::/48 -j DROP`,
  (d) => `rss_token:\n    UniqueIndexChecker:\n      enabled: ${d.pick(["true", "false"])}`,
  (d) => `blk_-${d.between(1, 9)}${d.digits(15)} replicated`,
  (d) =>
    `root      ${d.digits(4)}  0.0  0.1 ${d.digits(6)} ${d.digits(5)} ?  Ss  ${two(d.between(0, 23))}:${two(d.between(0, 59))}  0:00 node`,
  (d) =>
    `-rw-r--r-- 1 a a ${d.digits(6)} Jan ${d.between(10, 28)} ${two(d.between(0, 23))}:${two(d.between(0, 59))} a.txt`,
];

/** A line of each kind, and some of them together. */
export function toolOutput(dice) {
  const lines = LINES.map((make) => make(dice));
  // a word above a number may be what the number is called: so what has nothing to do with each other stands apart
  return [...lines, Array.from({ length: 6 }, () => dice.pick(lines)).join(`\n\n${"=".repeat(64)}\n\n`)];
}
