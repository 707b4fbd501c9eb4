import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { streamTokenValues, tokenValues } from "./token-values.ts";

const keeps = (type: string): boolean => type !== "KEY";
const token = (type: string, letter: string): string => `${type}_abcd_${letter.repeat(16)}`;
const A = token("EMAIL", "a");
const B = token("CARD", "b");
const SECRET = token("KEY", "c");

describe("tokenValues", () => {
  it("reads what stood in the place of each token", () => {
    const values = tokenValues(`{"to":"${A}","card":"${B}"}`, '{"to":"ann@x.test","card":"4111 1111"}', keeps);
    expect(values).toEqual({ [A]: "ann@x.test", [B]: "4111 1111" });
  });

  it("leaves secrets out: they stand in both texts", () => {
    expect(tokenValues(`${A} has ${SECRET}.`, `ann has ${SECRET}.`, keeps)).toEqual({ [A]: "ann" });
  });

  it("takes values between texts that no value holds, whatever they are", () => {
    const value = fc.stringMatching(/^[a-z0-9@. ]{1,20}$/);
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), (given) => {
        const names = given.map((_, n) => token("EMAIL", String.fromCharCode(97 + n)));
        const redacted = names.map((each, n) => `<${n}>${each}</${n}>`).join("\n");
        const original = given.map((each, n) => `<${n}>${each}</${n}>`).join("\n");
        const values = tokenValues(redacted, original, keeps);
        expect(names.map((each) => values[each])).toEqual(given);
      }),
    );
  });

  it("says nothing of texts that do not fit", () => {
    expect(tokenValues(`to ${A}, ok`, "something else", keeps)).toEqual({});
  });
});

describe("streamTokenValues", () => {
  it("joins the pieces of a value", () => {
    const event = (text: string): string => `data: ${JSON.stringify({ delta: { content: text }, index: 0 })}\n\n`;
    const redacted = [`to ${A}`, "", "!", ""].map(event).join("");
    const original = ["to an", "n@x.te", "st!", ""].map(event).join("");
    expect(streamTokenValues(redacted, original, keeps)).toEqual({ [A]: "ann@x.test" });
  });
});
