import { expect, test } from "vitest";
import { Retries } from "./retries.ts";
import type { Step } from "./step.ts";

const ended = (n: number, status: number | null, body = "{}", attempt = 0): Step =>
  ({
    path: "",
    op: "chat",
    n,
    attempt,
    exchange: { response: status === null ? null : { status }, requestBody: body },
  }) as unknown as Step;

test("a failed attempt is found once by its retry; an answered one is forgotten", () => {
  const retries = new Retries();
  retries.answered(ended(0, 200));
  retries.answered(ended(1, 429));
  retries.answered(ended(2, null, "other"));
  expect(retries.previous("", "chat", "{}", 0)).toBeNull();
  expect(retries.previous("", "chat", "{}", 1)).toMatchObject({ n: 1, attempt: 0 });
  expect(retries.previous("", "chat", "{}", 1)).toBeNull();
  expect(retries.previous("", "chat", undefined, 1)).toMatchObject({ n: 2 });
});

test("a step whose answer has come is known before it ends, and not again when it does", () => {
  const retries = new Retries();
  const failed = ended(0, 503);
  retries.answered(failed);
  expect(retries.previous("", "chat", "{}", 1)).toMatchObject({ n: 0 });
  retries.answered(failed);
  expect(retries.previous("", "chat", "{}", 1)).toBeNull();
});

test("where another body was sent, a retry is known by the one that the program makes", () => {
  const retries = new Retries();
  const sent = ended(0, 429, "edited");
  sent.exchange!.ownBody = "{}";
  retries.answered(sent);
  expect(retries.previous("", "chat", "{}", 1)).toMatchObject({ n: 0, attempt: 0 });
});

test("of many failures the newest are known, and no body is held", () => {
  const retries = new Retries();
  for (let n = 0; n < 1000; n++) retries.answered(ended(n, 500, `body ${n}`));
  expect(retries.previous("", "chat", "body 0", 1)).toBeNull();
  expect(retries.previous("", "chat", "body 999", 1)).toMatchObject({ n: 999 });
});
