import { createScrubber } from "@reenact/redaction";
import { expect, test } from "vitest";
import { lazyScrubber } from "./lazy-scrubber.ts";

const key = Buffer.alloc(32, 1);

test("nothing is loaded before it is needed, and early secrets are kept", () => {
  let loads = 0;
  const scrubber = lazyScrubber(() => (loads++, createScrubber({ key })));
  scrubber.addKnown("correct horse battery");
  expect(loads).toBe(0);
  expect(scrubber.scrub("say correct horse battery").text).toMatch(/^say SECRET_/);
  expect(scrubber.problem()).toBeNull();
  expect(loads).toBe(1);
});

test.each([
  () => ({ error: "no key" }),
  () => {
    throw new Error("no key");
  },
])("without a key every text is replaced", (load) => {
  const scrubber = lazyScrubber(load);
  expect(scrubber.problem()).toContain("no key");
  expect(scrubber.scrub("hello").text).toBe("UNSCANNED_5");
});

test("behind the deadline of an exit large texts are left unscanned, small ones are not", () => {
  const scrubber = lazyScrubber(() => createScrubber({ key }));
  scrubber.until(0);
  expect(scrubber.scrub("a".repeat(70_000)).text).toBe("UNSCANNED_70000");
  expect(scrubber.scrub("a small one").text).toBe("a small one");
});

test("a secret variable that is set later is a known value", () => {
  const scrubber = lazyScrubber(() => createScrubber({ key }));
  scrubber.learnVariable("EARLY_SECRET", "read-when-it-is-loaded-7");
  expect(scrubber.scrub("say blue-otter-42-lamp").text).toBe("say blue-otter-42-lamp");
  scrubber.learnVariable("BILLING_SECRET", "blue-otter-42-lamp");
  scrubber.learnVariable("GREETING", "good-morning-to-all");
  expect(scrubber.scrub("say blue-otter-42-lamp").text).toMatch(/^say SECRET_/);
  expect(scrubber.scrub("say good-morning-to-all").text).toBe("say good-morning-to-all");
});
