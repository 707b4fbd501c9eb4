import { readFileSync } from "node:fs";
import { otlpRuns, readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { itemsOf, outlineOf, stepsOf } from "@reenact/view";
import { expect, test } from "vitest";

/** What programs of others sent, see the README of the folder. */
const FILES = ["openinference-python", "ai-sdk-6", "ai-sdk-6-stream", "ai-sdk-7"];
const bytesOf = (name: string) => readFileSync(new URL(`../fixtures/otlp/${name}.pb`, import.meta.url));

const RESULT = { order: "A-1002", state: "delivered", day: "Monday" };
const ANSWER = "Order A-1002 was delivered on Monday.";

test.each(FILES)(
  "%s: the spans of a real program are a transcript with tool calls, results, models and tokens",
  (name) => {
    const runs = otlpRuns(bytesOf(name));
    expect(runs).toHaveLength(1);
    const run = readEnvelope(writeEnvelope(runs[0]!).bytes);
    const { status, models, tools, tokens } = run.manifest;
    expect({ status, models, tools }).toEqual({
      status: "ok",
      models: ["gpt-4.1-mini-2025-04-14"],
      tools: ["look_up"],
    });
    expect(tokens).toMatchObject({ prompt: 42, completion: 18, total: 60 });

    const steps = stepsOf(run);
    expect(outlineOf(steps, null)).toMatchObject({ question: "Where is my order A-1002?", answer: ANSWER });
    const shown = steps.filter(({ kind }) => kind !== "AGENT");
    expect(shown.map(({ kind }) => kind)).toEqual(["LLM", "TOOL", "LLM"]);
    const [asks, looksUp, answers] = shown;
    for (const call of [asks!, answers!]) {
      expect(call.model?.answered).toBe("gpt-4.1-mini-2025-04-14");
      expect(call.tokens).toMatchObject({ input: 21, output: 9 });
    }
    const plain = (items: ReturnType<typeof itemsOf>["input"]) =>
      items.map(({ is, role, name, text }) => [is, role, name, text]);
    expect(plain(itemsOf(asks!).input)).toEqual([
      ["text", "system", null, "You are a support desk."],
      ["text", "user", null, "Where is my order A-1002?"],
    ]);
    expect(plain(itemsOf(asks!).output)).toEqual([["call", "assistant", "look_up", '{"order":"A-1002"}']]);
    expect(looksUp!.name).toBe("look_up");
    expect(JSON.parse(looksUp!.input!)).toEqual({ order: "A-1002" });
    expect(JSON.parse(looksUp!.output!)).toEqual(RESULT);
    const [result, ...more] = itemsOf(answers!).input;
    expect([result!.is, result!.role, result!.name, JSON.parse(result!.text), more]).toEqual([
      "result",
      "tool",
      "look_up",
      RESULT,
      [],
    ]);
    expect(plain(itemsOf(answers!).output)).toEqual([["text", "assistant", null, ANSWER]]);
  },
);
