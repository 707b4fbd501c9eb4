import fc from "fast-check";
import { expect, test } from "vitest";
import { BASE58, decodeBase58, isCheckedBase58 } from "./base58.ts";

function encoded(bytes: Uint8Array): string {
  let number = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
  let out = "";
  for (; number > 0n; number /= 58n) out = BASE58[Number(number % 58n)] + out;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros === -1 ? bytes.length : zeros) + out;
}

test("what was encoded comes back, byte for byte", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 90 }), fc.nat(3), (bytes, zeros) => {
      const whole = Uint8Array.from([...Buffer.alloc(zeros), ...bytes]);
      expect([...(decodeBase58(encoded(whole), BASE58) ?? [])]).toEqual([...whole]);
    }),
  );
});

test("a character of no alphabet, or a wrong checksum, is none", () => {
  expect(decodeBase58("1BoatSLRHtKNngkdXEeobR76b53LETtp0T", BASE58)).toBeNull();
  expect(decodeBase58("1Boaté", BASE58)).toBeNull();
  expect(isCheckedBase58("1BoatSLRHtKNngkdXEeobR76b53LETtpyT", BASE58)).toBe(true);
  expect(isCheckedBase58("1BoatSLRHtKNngkdXEeobR76b53LETtpyU", BASE58)).toBe(false);
});
