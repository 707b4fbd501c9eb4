import { describe, expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7), known: [{ name: "K", value: "zebra-crossing-77" }] });
const mime = "text/event-stream";
const token = scrubber.scrub("alice@example.com").text;

const chat = (pieces: readonly string[]): string =>
  pieces
    .map((content) => `data: ${JSON.stringify({ id: "chatcmpl-1", choices: [{ index: 0, delta: { content } }] })}\n\n`)
    .join("") + "data: [DONE]\n\n";
const contents = (stream: string): string[] =>
  stream
    .split("\n\n")
    .filter((e) => e.startsWith("data: {"))
    .map((e) => JSON.parse(e.slice(6)).choices[0].delta.content as string);

/** Every way to cut `text` in two, and some in three. */
function cuts(text: string): string[][] {
  const out: string[][] = [];
  for (let i = 0; i <= text.length; i++) {
    out.push([text.slice(0, i), text.slice(i)]);
    for (let j = i + 1; j <= text.length; j += 5) out.push([text.slice(0, i), text.slice(i, j), text.slice(j)]);
  }
  return out;
}

describe("a value split over events", () => {
  test("is found at every cut; event count, order and all other bytes stay", () => {
    for (const pieces of cuts('hi "é" alice@example.com, bye')) {
      const source = chat(pieces);
      const out = scrubber.scrub(source, { mime }).text;
      expect(contents(out).join("")).toBe(`hi "é" ${token}, bye`);
      const blank = (s: string): string => s.replace(/"content":"(?:[^"\\]|\\.)*"/g, "");
      expect(blank(out)).toBe(blank(source));
    }
  });

  test.each(["4111 1111 1111 1111", "zebra-crossing-77", "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"])(
    "%s",
    (value) => {
      const whole = scrubber.scrub(value).text;
      for (const pieces of cuts(`x ${value} y`)) {
        expect(contents(scrubber.scrub(chat(pieces), { mime }).text).join("")).toBe(`x ${whole} y`);
      }
    },
  );

  test("stands where it began", () => {
    expect(contents(scrubber.scrub(chat(["to al", "ice@exam", "ple.com", " ok"]), { mime }).text)).toEqual([
      `to ${token}`,
      "",
      "",
      " ok",
    ]);
  });
});

describe("parallel streams", () => {
  test("tool calls by index: arguments are JSON in pieces", () => {
    const args = ['{"to":"alice@example.com","password":"pw"}', '{"q":"bob@example.com"}'];
    const events: string[] = [];
    for (let i = 0; i < 50; i += 3) {
      for (const [index, text] of args.entries()) {
        const piece = text.slice(i, i + 3);
        if (piece !== "")
          events.push(
            `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, function: { arguments: piece } }] } }] })}\r\n\r\n`,
          );
      }
    }
    const out = scrubber.scrub(events.join(""), { mime }).text;
    const joined = ["", ""];
    for (const event of out.split("\r\n\r\n").filter((e) => e !== "")) {
      const call = JSON.parse(event.slice(6)).choices[0].delta.tool_calls[0];
      joined[call.index] += call.function.arguments;
    }
    expect(JSON.parse(joined[0] as string).to).toBe(token);
    expect(JSON.parse(joined[0] as string).password).toMatch(/^AUTH_/);
    expect(joined[1]).toMatch(/^\{"q":"EMAIL_[a-z]{4}_[a-z]{16}"\}$/);
  });

  test("Anthropic content blocks by index, and thinking with its signature", () => {
    const block = (index: number, delta: object): string =>
      `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index, delta })}\n\n`;
    const signature = "EqQBCkYIARgCKkD4111111111111111abcdefg+/==";
    const source =
      block(0, { type: "thinking_delta", thinking: "ask alice@exa" }) +
      block(1, { type: "input_json_delta", partial_json: '{"to": "al' }) +
      block(0, { type: "thinking_delta", thinking: "mple.com" }) +
      block(1, { type: "input_json_delta", partial_json: 'ice@example.com"}' }) +
      block(0, { type: "signature_delta", signature });
    const out = scrubber.scrub(source, { mime }).text;
    expect(out).toContain(`"thinking":"ask ${token}"`);
    expect(out).toContain(`"partial_json":${JSON.stringify(`{"to": "${token}`)}`);
    expect(out).toContain('"partial_json":"\\"}"');
    expect(out).toContain(signature);
  });

  test("OpenAI responses: the full copy at the end has the same token", () => {
    const delta = (text: string): string =>
      `event: response.output_text.delta\ndata: ${JSON.stringify({ type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: text })}\n\n`;
    const source = `${delta("alice@")}${delta("example.com")}event: response.output_text.done\ndata: ${JSON.stringify({ type: "response.output_text.done", text: "alice@example.com" })}\n\n`;
    const out = scrubber.scrub(source, { mime });
    expect(out.text).not.toContain("alice");
    expect(out.text).toContain(`"delta":"${token}"`);
    expect(out.text).toContain(`"text":"${token}"`);
    expect(out.counts).toEqual({ EMAIL: 2 });
  });
});

describe("other streams", () => {
  test("data that is not JSON, comments, several lines of data", () => {
    const source =
      ': carol@example.com\nid: 1\ndata: mail ali\n\ndata: ce@example.com\n\nevent: j\ndata: {"a":\ndata: "alice@example.com"}\n\n';
    const out = scrubber.scrub(source, { mime }).text;
    expect(out).not.toMatch(/carol|alice|ali\b|ce@/);
    expect(out).toContain(`data: mail ${token}\n\ndata: \n\n`);
    expect(out).toContain(`data: {"a":\ndata: "${token}"}\n\n`);
  });

  test("snapshots and messages that each hold a whole value", () => {
    const source = ["alice@example.com", "alice@example.com and", "alice@example.com and bob@example.com"]
      .map((content) => `data: ${JSON.stringify({ content })}\n\n`)
      .join("");
    expect(scrubber.scrub(source, { mime }).text).not.toMatch(/@|example/);
    const rpc = ["alice@example.com", "bob@example.com"]
      .map((text, id) => `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ text }] } })}\n\n`)
      .join("");
    expect(scrubber.scrub(rpc, { mime }).text).not.toMatch(/@|example/);
  });

  test("line-delimited: pieces where lines say whether they are done, else each line by itself", () => {
    const pieces = ["mail ali", "ce@example.com", ""]
      .map((content, i) => JSON.stringify({ message: { role: "assistant", content }, done: i === 2 }))
      .join("\n");
    expect(scrubber.scrub(pieces, { mime: "application/x-ndjson" }).text).toContain(`"mail ${token}"`);
    const rows = '{"text":"alice@example.com"}\n{"text":"hello"}\n';
    expect(scrubber.scrub(rows, { mime: "application/jsonl" }).text).toBe(`{"text":"${token}"}\n{"text":"hello"}\n`);
  });
});
