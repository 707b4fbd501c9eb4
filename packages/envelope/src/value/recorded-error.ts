import type { CallProgram } from "./derived-members.ts";
import { decodeValue, type DecodeOptions } from "./decode-value.ts";
import { encodeValue } from "./encode-value.ts";
import { builtInBase, className, errorOfClass, isBuiltInError } from "./error-class.ts";
import type { RecordedError } from "../schema/record.ts";

const MAX_CAUSES = 4;
const LONGEST_TYPED = 64 * 1024;
/** `code` and `status` stand among the own ones too, for the order in which they are shown. */
const FIELDS: ReadonlySet<string> = new Set(["name", "message", "stack", "cause"]);

type Scalar = string | number | boolean | null;
const isScalar = (value: unknown): value is Scalar =>
  value === null ||
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value));

/** What a record keeps of anything that was thrown (SPEC.md §3). Never throws. */
export function recordError(error: unknown): RecordedError {
  return record(error, 0);
}

/** As `recordError`, with all that a program can see of the error, for a replay. `call` runs methods and accessors of its class. */
export function recordWholeError(error: unknown, call?: CallProgram): RecordedError {
  const recorded = recordError(error);
  if (recorded.class === "") return recorded;
  const { text } = encodeValue(error, call === undefined ? {} : { call });
  return text.length > LONGEST_TYPED ? recorded : { ...recorded, typed: text };
}

function record(error: unknown, depth: number): RecordedError {
  try {
    return error instanceof Error || error instanceof DOMException ? recordObject(error, depth) : recordRaw(error);
  } catch {
    return { class: "Error", name: "Error", message: "error that could not be read" };
  }
}

/** Of a thrown value that is no error. */
function recordRaw(thrown: unknown): RecordedError {
  const empty = { class: "", name: "", message: "" };
  if (thrown === undefined) return empty;
  const isPlain = isScalar(thrown) && !Object.is(thrown, -0);
  return { ...empty, raw: isPlain ? thrown : { $value: encodeValue(thrown).text } };
}

function recordObject(error: Error | DOMException, depth: number): RecordedError {
  const own = Object.entries(error).filter(
    (entry): entry is [string, Scalar] => !FIELDS.has(entry[0]) && isScalar(entry[1]),
  );
  const { code, status } = error as { code?: unknown; status?: unknown };
  const shown: { name: unknown; message: unknown } = error;
  const name = className(error);
  const base = builtInBase(error);
  const hasCause = "cause" in error && error.cause !== undefined && depth < MAX_CAUSES;
  return {
    class: name,
    ...(base !== name && base !== "Error" && { base }),
    name: String(shown.name),
    message: String(shown.message),
    ...((typeof code === "string" || isFiniteNumber(code)) && { code }),
    ...(isFiniteNumber(status) && { status }),
    ...(own.length > 0 && { own: Object.fromEntries(own) }),
    ...(hasCause && { cause: record(error.cause, depth + 1) }),
  };
}

const isFiniteNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** The thrown value again: built-in errors of their class, others of the class that the options give, or a look-alike of the same name. */
export function reviveError(recorded: RecordedError, options: DecodeOptions = {}): unknown {
  if (recorded.typed !== undefined) return decodeValue(recorded.typed, options);
  if (recorded.class === "") return reviveRaw(recorded.raw);
  const { class: name, message, own, cause } = recorded;
  const base =
    recorded.base !== undefined && isBuiltInError(recorded.base)
      ? recorded.base
      : isBuiltInError(name)
        ? name
        : "Error";
  const error = errorOfClass(name, base, message, recorded.name);
  const set = (key: string, value: unknown, enumerable: boolean) => {
    if ((error as unknown as Record<string, unknown>)[key] === value) return;
    Object.defineProperty(error, key, { value, enumerable, writable: true, configurable: true });
  };
  set("name", recorded.name, false);
  set("message", message, false);
  for (const [key, value] of Object.entries(own ?? {})) set(key, value, true);
  for (const key of ["code", "status"] as const) if (recorded[key] !== undefined) set(key, recorded[key], true);
  if (cause !== undefined) set("cause", reviveError(cause), false);
  return error;
}

function reviveRaw(raw: unknown): unknown {
  if (raw !== null && typeof raw === "object" && "$value" in raw && typeof raw.$value === "string")
    return decodeValue(raw.$value);
  return raw;
}
