import { createHmac, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createHkdf256, createHmac256 } from "./hmac.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("it is the HMAC of the standard, for short and long messages and keys", () => {
  const keys = fc.uint8Array({ minLength: 1, maxLength: 64 });
  fc.assert(
    fc.property(keys, fc.string({ unit: "binary", maxLength: 40 }), fc.nat(100), (key, text, times) => {
      const mac = createHmac256(key);
      for (const each of [text, text.repeat(times), "", Buffer.from(text), text])
        expect(hex(mac(each))).toBe(
          createHmac("sha256", key)
            .update(each as string)
            .digest("hex"),
        );
    }),
    { numRuns: 25 },
  );
});

test("it is the HKDF of the standard", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.string({ maxLength: 40 }), (key, info) => {
      const theirs = hkdfSync("sha256", key, new Uint8Array(), info, 32);
      expect(hex(createHkdf256(key)(info))).toBe(hex(new Uint8Array(theirs)));
    }),
    { numRuns: 25 },
  );
});
