import { syncBuiltinESMExports } from "node:module";
import readline from "node:readline";
import tty from "node:tty";
import { onFirstUse } from "@reenact/capture/recorder";

/** A terminal as the recorded program saw it. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** bits of colour */
  readonly depth: number;
}

/** Null: that output went to a pipe or a file. */
export interface Terminals {
  /** whether standard input was a terminal; undefined: not recorded */
  readonly stdin?: boolean;
  readonly stdout: Terminal | null;
  readonly stderr: Terminal | null;
}

/**
 * Lets the standard streams of this process look as they did when it was recorded: programs print colours and other
 * layouts to a terminal, ask there, and a run that was recorded without one is replayed in one. What standard input
 * holds stays that of this process.
 */
export function showRecordedTerminals(terminals: Terminals): void {
  const { isatty } = tty;
  const outputs = [terminals.stdout, terminals.stderr].map((terminal) => terminal !== null);
  const recorded = [terminals.stdin, ...outputs];
  tty.isatty = Object.defineProperties((descriptor: number): boolean => {
    return recorded[descriptor] ?? isatty(descriptor);
  }, Object.getOwnPropertyDescriptors(isatty)) as typeof isatty;
  syncBuiltinESMExports();
  const { stdin } = terminals;
  if (stdin !== undefined) onFirstUse("stdin", (stream) => imitateInput(stream, stdin));
  onFirstUse("stdout", (stream) => imitateTerminal(stream, terminals.stdout));
  onFirstUse("stderr", (stream) => imitateTerminal(stream, terminals.stderr));
}

function imitateInput(stream: NodeJS.ReadStream, isTerminal: boolean): void {
  if (!isTerminal && stream.isTTY) show(stream, { isTTY: undefined, isRaw: undefined, setRawMode: undefined });
  if (!isTerminal || stream.isTTY) return;
  const setRawMode = (isRaw: unknown): NodeJS.ReadStream => {
    show(stream, { isRaw: Boolean(isRaw) });
    return stream;
  };
  show(stream, { isTTY: true, isRaw: false, setRawMode });
}

function show(stream: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(stream, name, { value, writable: true, configurable: true, enumerable: false });
}

function imitateTerminal(stream: NodeJS.WriteStream, terminal: Terminal | null): void {
  if (terminal === null) {
    if (stream.isTTY) show(stream, { isTTY: undefined, columns: undefined, rows: undefined, ...NO_TERMINAL });
    return;
  }
  const { columns, rows, depth } = terminal;
  show(stream, {
    isTTY: true,
    columns,
    rows,
    getColorDepth: () => depth,
    hasColors: (count: unknown) => (typeof count === "number" ? count : 16) <= 2 ** depth,
    getWindowSize: () => [columns, rows],
    ...(stream.isTTY ? {} : cursorOf(stream)),
  });
}

const NO_TERMINAL = Object.fromEntries(
  ["getColorDepth", "hasColors", "getWindowSize", "cursorTo", "moveCursor", "clearLine", "clearScreenDown"].map(
    (name) => [name, undefined],
  ),
);

function cursorOf(stream: NodeJS.WriteStream): Record<string, unknown> {
  return {
    cursorTo: (x: number, ...rest: never[]) => readline.cursorTo(stream, x, ...rest),
    moveCursor: (x: number, y: number, ...rest: never[]) => readline.moveCursor(stream, x, y, ...rest),
    clearLine: (direction: -1 | 0 | 1, ...rest: never[]) => readline.clearLine(stream, direction, ...rest),
    clearScreenDown: (...rest: never[]) => readline.clearScreenDown(stream, ...rest),
  };
}
