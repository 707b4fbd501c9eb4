import { JsonSyntaxError } from "../envelope-error.ts";
import type { JsonMember, JsonNode } from "./json-node.ts";

/** Deeper documents are refused by name instead of overflowing the stack. */
export const MAX_JSON_DEPTH = 512;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Parses JSON without losing anything. One leading U+FEFF is skipped; offsets count it. Strings may hold lone
 * surrogates. Throws `JsonSyntaxError` with the offset.
 */
export function parseJson(text: string): JsonNode {
  const parser = new Parser(text);
  const node = parser.value(0);
  parser.space();
  if (parser.at < text.length) throw new JsonSyntaxError("unexpected text after the value", parser.at);
  return node;
}

class Parser {
  readonly text: string;
  at: number;

  constructor(text: string) {
    this.text = text;
    this.at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  space(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.at++;
    }
  }

  value(depth: number): JsonNode {
    if (depth > MAX_JSON_DEPTH) throw new JsonSyntaxError(`deeper than ${MAX_JSON_DEPTH} levels`, this.at);
    this.space();
    const start = this.at;
    switch (this.text[start]) {
      case "{":
        return this.object(start, depth);
      case "[":
        return this.array(start, depth);
      case '"': {
        const value = this.string();
        return { type: "string", value, start, end: this.at };
      }
      case "t":
        return this.word("true", start);
      case "f":
        return this.word("false", start);
      case "n":
        return this.word("null", start);
      case undefined:
        throw new JsonSyntaxError("unexpected end", start);
      default: {
        NUMBER.lastIndex = start;
        const literal = NUMBER.exec(this.text)?.[0];
        if (literal === undefined) throw new JsonSyntaxError("unexpected character", start);
        this.at = start + literal.length;
        return { type: "number", literal, start, end: this.at };
      }
    }
  }

  private object(start: number, depth: number): JsonNode {
    const members: JsonMember[] = [];
    this.at++;
    this.space();
    if (!this.take("}")) {
      do {
        this.space();
        if (this.text[this.at] !== '"') throw new JsonSyntaxError("expected a key", this.at);
        const key = this.string();
        this.space();
        if (!this.take(":")) throw new JsonSyntaxError("expected ':'", this.at);
        members.push({ key, value: this.value(depth + 1) });
        this.space();
      } while (this.take(","));
      if (!this.take("}")) throw new JsonSyntaxError("expected ',' or '}'", this.at);
    }
    return { type: "object", members, start, end: this.at };
  }

  private array(start: number, depth: number): JsonNode {
    const items: JsonNode[] = [];
    this.at++;
    this.space();
    if (!this.take("]")) {
      do {
        items.push(this.value(depth + 1));
        this.space();
      } while (this.take(","));
      if (!this.take("]")) throw new JsonSyntaxError("expected ',' or ']'", this.at);
    }
    return { type: "array", items, start, end: this.at };
  }

  private string(): string {
    const start = this.at++;
    let escaped = false;
    for (;;) {
      PLAIN.lastIndex = this.at;
      PLAIN.exec(this.text);
      this.at = PLAIN.lastIndex;
      const next = this.text[this.at];
      if (next === '"') {
        this.at++;
        return escaped
          ? (JSON.parse(this.text.slice(start, this.at)) as string)
          : this.text.slice(start + 1, this.at - 1);
      }
      if (next === undefined) throw new JsonSyntaxError("unterminated string", start);
      if (next !== "\\") throw new JsonSyntaxError("control character in a string", this.at);
      ESCAPE.lastIndex = this.at;
      if (!ESCAPE.test(this.text)) throw new JsonSyntaxError("bad escape", this.at);
      this.at = ESCAPE.lastIndex;
      escaped = true;
    }
  }

  private word<W extends "true" | "false" | "null">(word: W, start: number): JsonNode {
    if (!this.text.startsWith(word, start)) throw new JsonSyntaxError("unexpected character", start);
    this.at = start + word.length;
    return { type: word, start, end: this.at };
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }
}
