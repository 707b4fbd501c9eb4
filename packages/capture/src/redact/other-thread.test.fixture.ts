import { setTimeout as sleep } from "node:timers/promises";
import { readTexts } from "../span/draft-step.ts";
import type { ReadTexts, StepTexts } from "../span/draft.ts";
import type { Scrubber } from "./scrubber.ts";

/** Writes "secret" in capitals. `seen` is given each text that it reads. */
export const marking = (seen: (text: string) => void): Scrubber => ({
  policy: "p",
  rules: "r",
  kid: "k",
  version: 0,
  addKnown: () => {},
  scrub(text) {
    seen(text);
    return { text: text.replaceAll("secret", "SECRET"), edits: [], counts: text.includes("secret") ? { KEY: 1 } : {} };
  },
});

/** What the redaction thread answers: the texts, copied and read by `marking`, after 5 ms. */
export async function elsewhere(texts: StepTexts): Promise<ReadTexts | null> {
  const { record, ...rest } = readTexts(
    structuredClone(texts),
    marking(() => {}),
  );
  await sleep(5);
  const utf8 = (text: string | null) => (text === null ? null : Buffer.from(text));
  const { request, answer } = rest;
  return {
    originals: null,
    ...rest,
    members: Buffer.from(JSON.stringify(record)),
    request: request === null ? null : { ...request, text: utf8(request.text) },
    answer: answer === null ? null : { ...answer, text: utf8(answer.text), inside: utf8(answer.inside) },
    input: utf8(rest.input),
    output: utf8(rest.output),
  };
}
