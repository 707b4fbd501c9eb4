import { guarded } from "../fault/faults.ts";
import { live, type RunFrame } from "../run/context.ts";
import { printableOrBytes } from "../hook/text-or-bytes.ts";
import { watchWrittenFiles } from "./changed-files.ts";
import { type ChildCommand, commandOf, type SpawnOptions, type StdioWord } from "./child-command.ts";
import { childVariables } from "./parent-variable.ts";
import { processStep } from "./process-step.ts";

/** What Node's synchronous functions give to its native part. */
export interface SyncOptions extends SpawnOptions {
  readonly timeout?: number;
  readonly stdio?: readonly { readonly type: string; readonly input?: unknown; readonly fd?: number }[];
}

/** What the native part answers. */
interface Result<Output> {
  readonly pid: number;
  readonly status: number | null;
  readonly signal: string | null;
  readonly output: readonly (Output | null)[] | null;
  readonly error?: number;
}

export type SyncResult = Result<Buffer>;

export type SyncSpawn = (options: SyncOptions) => SyncResult;

/** A child that the program waits for is a step with what it was given and what it left behind. */
export function spawnSyncRecorded(options: SyncOptions, frame: RunFrame, real: SyncSpawn): SyncResult {
  const command = guarded("child", null, () => syncCommand(options));
  if (command === null) return real(options);
  const result = processStep(frame, command.name, [command.args], (inner) => {
    const ended = watchWrittenFiles(inner);
    const envPairs = guarded("child", undefined, () => childVariables(options, frame.run));
    const answer = live(() => real({ ...options, ...(envPairs !== undefined && { envPairs }) }));
    ended();
    return withOutput(answer, (bytes: Buffer) => printableOrBytes(bytes));
  });
  return withOutput(result as RecordedResult, (each: string | Uint8Array) => Buffer.from(each));
}

function syncCommand(options: SyncOptions): ChildCommand {
  const { stdio = [], timeout } = options;
  const words = stdio.map(({ type, fd }, at) => wordOf(type, fd, at));
  const input = inputOf(stdio[0]?.input);
  return commandOf(options, words, {
    ...(input !== null && { stdin: input }),
    ...(timeout !== undefined && timeout > 0 && { timeout }),
  });
}

type RecordedResult = Result<string | Uint8Array>;

/** Members stay in their order, which a program may print. */
function withOutput<From, To>(result: Result<From>, map: (output: From) => To): Result<To> {
  const output = result.output?.map((each) => (each === null ? null : map(each))) ?? null;
  return { ...result, output };
}

function wordOf(type: string, fd: number | undefined, at: number): StdioWord {
  if (type === "pipe" || type === "overlapped") return "pipe";
  if (type === "ignore") return "ignore";
  return type === "inherit" || fd === at ? "inherit" : "file";
}

function inputOf(input: unknown): string | Uint8Array | null {
  if (typeof input === "string") return input;
  return ArrayBuffer.isView(input)
    ? printableOrBytes(Buffer.from(input.buffer, input.byteOffset, input.byteLength))
    : null;
}
