// Texts that are made to keep a redactor busy, and texts with one value of each kind.

/** Numbers from 0 to `n` - 1, the same ones each time. */
function dice(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const wall = (characters) => (bytes, seed) => {
  const roll = dice(seed);
  return Array.from({ length: bytes }, () => characters[roll(characters.length)]).join("");
};
const again = (unit) => (bytes, seed) => unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes) + seed;
const groups = (bytes, seed) => {
  const roll = dice(seed);
  const text = Array.from({ length: bytes / 5 }, () => String(1000 + roll(9000)));
  return text.join(" ");
};
const nested = (bytes, seed) => {
  let inner = `note ${seed}`;
  for (let depth = 0; depth < 7; depth++) inner = JSON.stringify({ a: inner });
  return `[${Array.from({ length: Math.ceil(bytes / inner.length) }, () => inner).join(",")}]`;
};
const longNames = (bytes, seed) =>
  JSON.stringify(
    Object.fromEntries([1, 2].map((n) => [wall("abcdefgh_")(bytes / 4, seed + n), "x".repeat(bytes / 4)])),
  );

/** `[name, (bytes, seed) => text]` */
export const SHAPES = [
  ["`@` again and again", again("@")],
  ["`a@b.` again and again", again("a@b.")],
  ["one run of digits", wall("0123456789")],
  ["card-like groups of digits", groups],
  ["one run of hex", wall("0123456789abcdef")],
  ["one run of base64", wall("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")],
  ["`eyJ` again and again", again("eyJ")],
  ["`-----BEGIN ` again and again", again("-----BEGIN ")],
  ["`sk-` again and again", again("sk-")],
  ["`://` again and again", again("://")],
  ["`kty:` above short lines", (bytes, seed) => `kty: EC\n${again("  x\n")(bytes, seed)}`],
  ["`htpasswd -b a` again and again", again("htpasswd -b a ")],
  ["`PID|` and bars", (bytes, seed) => `PID|${again("|")(bytes, seed)}`],
  ["`MII` again and again", again("MIIEvIBAAKC")],
  ["JSON in strings, seven deep", nested],
  ["long names of members", longNames],
];

/** `[kind, value, text]`, each for one tool to find or to miss. Nothing of it was ever valid. */
export const PLANTED = [
  ["e-mail", "alice.w+x@mail.example.com", (v) => `write to ${v} please`],
  ["card", "4539 1488 0343 6467", (v) => `paid with ${v} today`],
  ["IBAN", "DE89 3704 0044 0532 0130 00", (v) => `from ${v} on Monday`],
  ["phone", "+44 20 7946 0404", (v) => `call ${v} now`],
  ["US SSN", "536-90-4399", (v) => `her number is ${v}.`],
  ["IPv4", "203.0.113.126", (v) => `seen from ${v} twice`],
  ["IPv6", "2001:db8::8a2e:370:7334", (v) => `seen from ${v} twice`],
  ["Polish PESEL", "44051401359", (v) => `PESEL ${v}`],
  ["wallet", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT", (v) => `pay ${v}`],
  ["OpenAI key", `sk-proj-${"aB3dE5fG7h".repeat(6)}`, (v) => `use ${v} here`],
  ["GitHub token", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", (v) => `token ${v}`],
  ["AWS key id", "AKIAIOSFODNN7QWERTYU", (v) => `id ${v}`],
  ["JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U", (v) => v],
  ["password in a URL", "Tr0ub4dor9", (v) => `postgres://bob:${v}@db.internal/x`],
  ["full-width card", "４５３９１４８８０３４３６４６７", (v) => `card ${v}`],
  ["e-mail in JSON in a string", "bob@example.org", (v) => JSON.stringify({ a: JSON.stringify({ b: `mail\n${v}` }) })],
  ["e-mail in base64", "carol@example.org", (v) => Buffer.from(`to: ${v}, from me`).toString("base64")],
];
