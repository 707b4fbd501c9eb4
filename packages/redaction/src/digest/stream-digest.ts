import { createHash, hash } from "node:crypto";
import { findTokens } from "@reenact/envelope";
import type { Scrubber } from "@reenact/capture";
import { isOurs } from "@reenact/capture/recorder";
import { BlockReader, type BlockScrubber, type ReadText } from "./block-reader.ts";
import { KeptLines } from "./kept-lines.ts";
import { Utf8Text } from "./utf8-text.ts";

const TOKENS_DIGITS = 32;
const KEY = /_([a-z]{4})_[a-z]{16}$/;
const LONGEST_LINE = 1024 * 1024;
const LONGEST_BLOCK = 64 * 1024;
/**
 * Longest block of lines that is redacted together: with the head of a table above it, it is below 64 KiB. A longer line
 * is redacted by another thread, if there is one. UTF-16 units.
 */
const LONGEST_HERE = 60 * 1024;

/** A line of a stack trace, and the trace inside a line: in a JSON string. */
const FRAME = /^ +(?:at |\.{3} \d+ lines matching )/;
const TRACE = /(?:\\n {1,8}at (?:(?!\\n|")[^\n])*)+/g;

/** Facts of a redacted text: a digest of the whole, and its first lines, by which a difference is shown. */
export interface TextFacts {
  sha256: string;
  /** of the redacted text, as UTF-8 */
  bytes: number;
  /** digest of the tokens themselves, in order; absent: there are none */
  tokens?: string;
  /** how many different tokens each key has made, by the four letters that name the key */
  keys?: Record<string, number>;
  /**
   * The four letters of the key, and behind them the marks of the redacted values in their order, separated by blanks
   * (see `RedactedPlace.marks`); absent: there are none, too many, or some are not known.
   */
  marks?: string;
  /** the first lines, redacted, as many as fit */
  lines: string[];
  /** digests of the lines behind them, eight hexadecimal digits each */
  more?: string;
}

type LineScrubber = BlockScrubber & Pick<Scrubber, "scrubElsewhere"> & { readonly kid?: string };

/** A piece behind one that another thread has, or that one. */
interface Waiting {
  /** reads it on this thread */
  readonly here: () => ReadText;
  /** null: not scrubbed yet */
  read: ReadText | null;
}

const MOST_MARKS = 256;

/**
 * Digest of a long text (an output, a file) that can be compared without the key, and its first lines. The text is
 * redacted in blocks of whole lines, however it is cut into writes: a line can name the values in the next ones (the
 * head of a table, in later blocks too; a key with its value below it). Tokens enter the digest by type; their numbers, by first
 * appearance over the whole stream, enter it at the end. A stack trace ends at the first frame of the recorder, since
 * the recorder's frames are different in a replay.
 */
export class StreamDigest {
  readonly #scrubber: LineScrubber;
  readonly #reader: BlockReader;
  readonly #hash = createHash("sha256");
  readonly #decoder = new Utf8Text();
  readonly #names = new Map<string, number>();
  readonly #order: number[] = [];
  readonly #lines: KeptLines;
  /** in order; each goes into the digest when all before it are there */
  #waiting: Waiting[] = [];
  /** null: not all of them are known */
  #marks: string[] | null = [];
  #bytes = 0;
  #held = "";
  /** lines that are scrubbed together */
  #block = "";
  #isInRecorder = false;

  /** `keep`: characters of text of which the lines are kept */
  constructor(scrubber: LineScrubber, keep?: number) {
    this.#scrubber = scrubber;
    this.#reader = new BlockReader(scrubber);
    this.#lines = new KeptLines(keep);
  }

  /** Bytes are read as UTF-8 (see `Utf8Text`); a character may be cut anywhere. */
  write(chunk: string | Uint8Array): void {
    const text = typeof chunk === "string" ? this.#decoder.end() + chunk : this.#decoder.write(chunk);
    if (text === "") return;
    const all = this.#held + text;
    let from = 0;
    for (let at = all.indexOf("\n", this.#held.length); ; at = all.indexOf("\n", at + 1)) {
      while ((at === -1 ? all.length : at) - from >= LONGEST_LINE) {
        this.#take(all.slice(from, from + LONGEST_LINE));
        from += LONGEST_LINE;
      }
      if (at === -1) break;
      if (this.#isInBlock(all, from, at)) continue;
      this.#take(all.slice(from, at + 1));
      from = at + 1;
    }
    this.#held = all.slice(from);
  }

  /**
   * `bytes` counts the scrubbed UTF-8 text. `translate` gives a token of now the name of the recorded one (see
   * `TokenAlignment`), so that a value which came back under its recorded token counts as the same value.
   */
  end(translate: (token: string) => string = (token) => token): TextFacts {
    this.#held += this.#decoder.end();
    if (this.#held !== "") this.#take(this.#held);
    this.#held = "";
    this.#readBlock();
    // a program that ends waits for no other thread
    for (const each of this.#waiting) each.read ??= each.here();
    this.#addReady();
    const numbers = new Map<string, number>();
    const byName = [...this.#names.keys()].map(translate);
    const order = this.#order.map((index) => {
      const name = byName[index] as string;
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      return number;
    });
    this.#hash.update(`\0${order.join()}`);
    const marks =
      this.#marks === null || this.#marks.length === 0 || this.#scrubber.kid === undefined
        ? {}
        : { marks: [this.#scrubber.kid, ...this.#marks].join(" ") };
    const facts = { sha256: this.#hash.digest("hex"), bytes: this.#bytes, ...marks, ...this.#lines.end() };
    if (byName.length === 0) return facts;
    const tokens = hash("sha256", this.#order.map((index) => byName[index]).join()).slice(0, TOKENS_DIGITS);
    return { ...facts, tokens, keys: keysOf(new Set(byName)) };
  }

  /** A key block spans lines and must be seen whole. */
  #isInBlock(all: string, from: number, at: number): boolean {
    if (at - from > LONGEST_BLOCK) return false;
    // only what is up to here is looked through: the rest would be, for each line again
    const lines = all.slice(from, at);
    const begin = lines.indexOf("-----BEGIN ");
    return begin !== -1 && !lines.includes("-----END ", begin);
  }

  #take(whole: string): void {
    this.#isInRecorder = FRAME.test(whole) && (this.#isInRecorder || isOurs(whole));
    if (this.#isInRecorder) return;
    const line = whole.includes("\\n") ? whole.replace(TRACE, programFrames) : whole;
    if (this.#block.length + line.length > LONGEST_HERE) this.#readBlock();
    if (line.length <= LONGEST_HERE) {
      this.#block += line;
      return;
    }
    this.#readBlock();
    this.#readLong(line);
  }

  /** A table goes on behind a long line, which is no more than one row of it. */
  #readLong(line: string): void {
    const here = this.#reader.lineReader(line);
    const ask = this.#scrubber.scrubElsewhere;
    const elsewhere = ask === undefined ? null : this.#reader.lineElsewhere(line, ask.bind(this.#scrubber));
    if (elsewhere === null) return this.#put(here, here());
    const waiting: Waiting = { here, read: null };
    this.#waiting.push(waiting);
    void elsewhere.then((text) => {
      // a digest that has ended has scrubbed it here
      if (waiting.read !== null) return;
      waiting.read = text === null ? here() : { text, marks: text === line ? [] : null };
      this.#addReady();
    });
  }

  #readBlock(): void {
    const block = this.#block;
    this.#block = "";
    if (block === "") return;
    const read = this.#reader.read(block);
    this.#put(() => read, read);
  }

  #put(here: () => ReadText, read: ReadText): void {
    if (this.#waiting.length > 0) this.#waiting.push({ here, read });
    else this.#add(read);
  }

  #addReady(): void {
    const open = this.#waiting.findIndex(({ read }) => read === null);
    const ready = this.#waiting.splice(0, open === -1 ? this.#waiting.length : open);
    for (const { read } of ready) if (read !== null) this.#add(read);
  }

  #add({ text, marks }: ReadText): void {
    if (marks === null || this.#marks === null || this.#marks.length + marks.length > MOST_MARKS) this.#marks = null;
    else this.#marks.push(...marks);
    this.#bytes += Buffer.byteLength(text);
    this.#lines.add(text);
    let from = 0;
    for (const { start, end, type, token } of findTokens(text)) {
      this.#hash.update(text.slice(from, start)).update(`\0${type}\0`);
      let index = this.#names.get(token);
      if (index === undefined) this.#names.set(token, (index = this.#names.size));
      this.#order.push(index);
      from = end;
    }
    this.#hash.update(text.slice(from));
  }
}

function keysOf(tokens: ReadonlySet<string>): Record<string, number> {
  const keys: Record<string, number> = {};
  for (const token of tokens) {
    const key = KEY.exec(token)?.[1] ?? "";
    keys[key] = (keys[key] ?? 0) + 1;
  }
  return keys;
}

function programFrames(trace: string): string {
  const frames = trace.split(/(?=\\n)/);
  const at = frames.findIndex(isOurs);
  return at === -1 ? trace : frames.slice(0, at).join("");
}
