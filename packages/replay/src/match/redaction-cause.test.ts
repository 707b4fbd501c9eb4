import { expect, test } from "vitest";
import type { Tape, RecordedStep } from "../tape/tape.ts";
import { redactionCause } from "./redaction-cause.ts";

const kid = "abcd";
const tape = { ordered: [], root: {} } as unknown as Tape;
const step = { index: 1, record: { redacted: { kid } } } as unknown as RecordedStep;
const TOKEN = "EMAIL_abcd_kqzjwhtrmxbvnpds";
const cause = (recorded: string, now: string): string | null =>
  redactionCause({ pointer: "/to", recorded, now }, step, tape, { kid });

test("a value that was recorded as a token is the work of redaction", () => {
  expect(cause(TOKEN, "nobody")).toMatch(/^the value was redacted when recorded by rule email/);
});

test("a credential of the code that is another one now is not blamed on redaction", () => {
  const [was, is] = ["AUTH_abcd_kqzjwhtrmxbvnpds", "AUTH_abcd_tbvnmxkqzjwhpdsr"];
  const closed = { problem: "there is no vault", next: "open it" };
  const given = { ordered: [], root: {}, vault: closed } as unknown as Tape;
  const at = (recorded: string, now: string, key = kid) =>
    redactionCause({ pointer: "/authorization", recorded, now }, step, given, { kid: key });
  expect(at(`Bearer ${was}`, `Bearer ${is}`)).toBe("the value is redacted, and another one than recorded");
  expect(at(`Bearer ${was}`, `Bearer ${is.replace("abcd", "efgh")}`, "efgh")).toContain("REENACT_REDACTION_KEY");
  expect(at(`Bearer ${was}`, "Bearer none")).toMatch(/^the value was redacted when recorded by /);
  expect(at(`Bearer ${was}`, "Bearer none")).not.toContain("open it");
});

test("a personal value that the code makes now was not redacted when recorded", () => {
  expect(cause("nobody", TOKEN)).toBeNull();
});

test("a variable's key, which no vault holds, is not blamed for a difference that shows nothing of it", () => {
  const environment = { SOME_API_KEY: "SECRET_abcd_kqzjwhtrmxbvnpds" };
  const closed = { problem: "there is no vault", next: "open it" };
  const given = { ordered: [], root: { environment }, vault: closed } as unknown as Tape;
  const at = (now: string) =>
    redactionCause({ pointer: "/messages/0", recorded: "Cancel it", now }, step, given, { kid });
  expect(at("Please cancel it")).toBeNull();
  const blame = at("kqzjwhtrmxbvnpds");
  expect(blame).toMatch(/^variable SOME_API_KEY was redacted by .*: the code saw a token in its place; set it here/);
  expect(blame).not.toContain("vault");
});
