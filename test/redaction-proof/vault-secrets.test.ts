import fc from "fast-check";
import { expect, test } from "vitest";
import { mayBeKept } from "@reenact/capture/recorder";
import { createScrubber, PERSONAL_TYPES } from "@reenact/redaction";

const key = Buffer.alloc(32, 7);
const known = [{ name: "DEPLOY_WORD", value: "quiet-Walrus-turnip-41" }];
const whole = createScrubber({ key, known });
const secretsAlone = createScrubber({ key, known, policy: { off: [...PERSONAL_TYPES] } });
const personal: ReadonlySet<string> = new Set(PERSONAL_TYPES);
const vault = { keeps: (type: string): boolean => personal.has(type) };

/** Invented. */
const SECRETS = [
  "sk-proj-Kd8rT2mX6vB1nQ5cY9wL3hG7pJ4fZ0sA8eU2iO6tN1bV5",
  "ghp_R4kT9mX2vB7nQ1cY5wL8hG3pJ6fZ0sA1eU4i",
  "AKIAQ7Z2M5X8V1B4N6CY",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4iLCJlbWFpbCI6ImFAYi5jIn0.c2lnbmF0dXJlLW9mLWEtdG9rZW4",
  "quiet-Walrus-turnip-41",
];
const PERSONAL = [
  "ann.okafor@north.harbour.test",
  "4111 1111 1111 1111",
  "DE89 3704 0044 0532 0130 00",
  "+49 30 901820",
];
/** Where a secret stands near a value that may be kept, or in it. */
const SHAPES: readonly ((secret: string, value: string) => string)[] = [
  (secret, value) => JSON.stringify({ to: value, token: secret }),
  (secret, value) => JSON.stringify({ name: `${value} ${secret}`, note: `${secret}, ${value}` }),
  (secret, value) => JSON.stringify({ full_name: secret, email: `${secret}@host.test`, address: `${secret} ${value}` }),
  (secret, value) => JSON.stringify({ inside: JSON.stringify({ password: secret, email: value }) }),
  (secret, value) => JSON.stringify([Buffer.from(`${value} has ${secret} as key`).toString("base64"), value]),
  (secret, value) => `postgres://svc:${secret}@db.host.test/x ${value}`,
  (secret, value) => `https://${encodeURIComponent(value)}:${secret}@host.test/?access_token=${secret}&u=${value}`,
  (secret, value) => `Authorization: Bearer ${secret}\nX-User: ${value}\n`,
  (secret, value) => `API_KEY=${secret}\nOWNER=${value}\npassword: ${secret} ${value}`,
  (secret, value) => stream(`write to ${value} with ${secret} please`, 5),
  (secret, value) => stream(JSON.stringify({ password: secret, to: value }), 9),
  (secret, value) => `id,email,api_key\n1,${value},${secret}\n2,${value},${secret}\n`,
];

function stream(text: string, size: number): string {
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  return pieces
    .map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
    .join("");
}

/** Also where the text of a stream is put together, and where base64 is decoded. */
function holds(text: string, secret: string): boolean {
  const joined = [...text.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)]
    .map((m) => JSON.parse(m[1] ?? '""') as string)
    .join("");
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map((m) =>
    Buffer.from(m[0], "base64").toString("latin1"),
  );
  return [text, joined, ...decoded].some((each) => each.includes(secret));
}

test("no secret that the record hides is in a text that may be kept, wherever it stands", () => {
  let kept = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...SECRETS),
      fc.constantFrom(...PERSONAL),
      fc.constantFrom(...SHAPES),
      fc.constantFrom("application/json", "text/plain", "text/event-stream", ""),
      (secret, value, shape, mime) => {
        const text = shape(secret, value);
        const redacted = whole.scrub(text, { mime }).text;
        const original = secretsAlone.scrub(text, { mime }).text;
        if (!mayBeKept(redacted, original, vault) || holds(redacted, secret)) return;
        kept++;
        expect(holds(original, secret)).toBe(false);
      },
    ),
    { numRuns: 1000 },
  );
  expect(kept).toBeGreaterThan(300);
});
