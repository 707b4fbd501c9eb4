// Private keys of random bytes, whole or cut, with what programs write before and behind their lines. Licence: that of
// this repository.
const KINDS = [
  ["RSA PRIVATE KEY", 64, 600],
  ["PRIVATE KEY", 64, 640],
  ["EC PRIVATE KEY", 64, 121],
  ["OPENSSH PRIVATE KEY", 70, 380],
  ["ENCRYPTED PRIVATE KEY", 64, 600],
  ["PGP PRIVATE KEY BLOCK", 64, 500],
];
const two = (number) => String(number % 60).padStart(2, "0");
const each = (write) => (lines) => lines.map(write).join("\n");

const WRITTEN = {
  compose: each((line) => `web-1  | ${line}`),
  syslog: each((line, i) => `Nov 12 10:00:${two(i)} host app[12]: ${line}`),
  pod: each((line) => `[pod/web-7f8b9c6d5-x2x4z/main] ${line}`),
  blame: each((line, i) => `^abc1234 (Ann Lee 2024-01-01 10:00:00 +0000 ${i + 1}) ${line}`),
  grep: each((line, i) => `keys/id_rsa:${i + 1}:${line}`),
  quoted: each((line) => `> ${line}`),
  added: each((line) => `+${line}`),
  removed: each((line) => `-${line}`),
  prompt: each((line) => `PS> ${line}`),
  breaks: (lines) => lines.join("<br>"),
  "JSON log": each((line, i) => JSON.stringify({ log: `${line}\n`, stream: "stdout", time: `10:00:${two(i)}Z` })),
  "JSON log, message": each((line, i) => JSON.stringify({ ts: 1_700_000_000 + i, level: "info", msg: line })),
  Python: each((line) => `    "${line}\\n"`),
  JavaScript: each((line) => `  "${line}\\n" +`),
  Java: each((line) => `      + "${line}\\n"`),
  C: each((line) => `"${line}\\n" \\`),
  escaped: (lines) => `KEY="${lines.join("\\n")}\\n"`,
  "escaped twice": (lines) => lines.join("\\\\n"),
  numbered: each((line, i) => `${String(i + 1).padStart(6)}\t${line}`),
  "ISO time": each((line, i) => `2024-01-01T10:00:${two(i)}.123Z INFO [main] App - ${line}`),
  container: each((line, i) => `2024-01-01T10:00:${two(i)}.123456789Z stdout F ${line}`),
  colours: each((line) => `\u001b[36mweb-1  |\u001b[0m ${line}`),
  "other lines between": (lines) =>
    lines.flatMap((line, i) => [`web-1  | ${line}`, ...(i % 5 === 2 ? ["db-1   | ready"] : [])]).join("\n"),
};

/** `[class, text, value, content type]` from one throw of the dice: one line of each key must not stay. */
export function keyBlocks(dice) {
  const [kind, width, size] = dice.pick(KINDS);
  const base64 = dice.bytes(size).toString("base64");
  const lines = base64.match(new RegExp(`.{1,${width}}`, "g"));
  const all = [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`];
  const cut = dice.pick([0, 1, 2]);
  const part = cut === 0 ? all : cut === 1 ? all.slice(2) : all.slice(0, -2);
  const body = part.filter((line) => !line.startsWith("-----"));
  return Object.entries(WRITTEN).map(([name, write]) => [
    `key, ${name}`,
    `starting\n${write(part)}\ndone with it\n`,
    dice.pick(body),
  ]);
}
