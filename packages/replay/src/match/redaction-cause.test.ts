import { expect, test } from "vitest";
import type { Tape, TapedStep } from "../tape.ts";
import { redactionCause } from "./redaction-cause.ts";

const kid = "abcd";
const tape = { ordered: [], root: {} } as unknown as Tape;
const step = { index: 1, record: { redacted: { kid } } } as unknown as TapedStep;
const TOKEN = "EMAIL_abcd_kqzjwhtrmxbvnpds";
const cause = (recorded: string, now: string): string | null =>
  redactionCause({ pointer: "/to", recorded, now }, step, tape, { kid });

test("a value that was recorded as a token is the work of redaction", () => {
  expect(cause(TOKEN, "nobody")).toMatch(/^the value was redacted when recorded by rule email/);
});

test("a personal value that the code makes now was not redacted when recorded", () => {
  expect(cause("nobody", TOKEN)).toBeNull();
});
