import crypto from "node:crypto";
import { here } from "../../run/context.ts";
import { recordedValue } from "../recorded-value.ts";
import { roomy } from "../../patch/stack-room.ts";
import { GatedTimer } from "../timers/gated-timer.ts";
import { replaceMethod, undoAll } from "../../patch/replace-method.ts";
import { inFormat, type StackFormat } from "../../patch/whole-trace.ts";
import { prototypeOf } from "../../patch/prototype-of.ts";

type Filled = ArrayBufferView | ArrayBufferLike;
type Callback = (error: Error | null, value: unknown) => void;

/**
 * Patches every source of random values. The real source is asked first in every mode, so that bad arguments throw
 * as they always do and draw nothing.
 */
export function installRandom(): () => void {
  const web = prototypeOf(crypto.webcrypto);
  return undoAll([
    replaceMethod<() => number>(Math, "random", (real) => () => recordedValue("R", real)),
    replaceMethod(crypto, "randomUUID", watchUuid),
    replaceMethod(web, "randomUUID", watchUuid),
    replaceMethod(crypto as { randomUUIDv7?: typeof crypto.randomUUID }, "randomUUIDv7", watchUuid as never),
    replaceMethod<(array: ArrayBufferView) => ArrayBufferView>(
      web,
      "getRandomValues",
      (real) =>
        function getRandomValues(this: Crypto, array) {
          const filled = Reflect.apply(real, this, [array]);
          if (here() !== null) redraw(bytesOf(array, 0, array.byteLength));
          return filled;
        },
    ),
    replaceMethod<(size: number, callback?: Callback) => Buffer | void>(
      crypto,
      "randomBytes",
      (real) =>
        function randomBytes(this: unknown, size, callback) {
          if (here() === null || !isCallback(callback)) return Reflect.apply(real, this, [size, callback]);
          const bytes = Reflect.apply(real, this, [size]) as Buffer;
          redraw(bytes);
          if (callback === undefined) return bytes;
          later(() => callback(null, bytes));
        },
    ),
    replaceMethod<(buffer: Filled, offset?: number, size?: number) => Filled>(
      crypto,
      "randomFillSync",
      (real) =>
        function randomFillSync(this: unknown, buffer, offset, size) {
          const filled = Reflect.apply(real, this, [buffer, offset, size]);
          if (here() !== null && !isMaskPool(buffer)) redraw(region(buffer, offset, size));
          return filled;
        },
    ),
    replaceMethod<(buffer: Filled, ...rest: unknown[]) => void>(
      crypto,
      "randomFill",
      watchFill(crypto.randomFillSync as never),
    ),
    replaceMethod<(...args: unknown[]) => number | void>(
      crypto,
      "randomInt",
      (real) =>
        function randomInt(this: unknown, ...args) {
          const callback = args.findLast((a) => a !== undefined);
          if (here() === null) return Reflect.apply(real, this, args);
          const isAsync = typeof callback === "function";
          const bounds = isAsync ? args.slice(0, args.lastIndexOf(callback)) : args;
          const drawn = Reflect.apply(real, this, bounds) as number;
          const [least, above] = bounds[1] === undefined ? [0, bounds[0]] : bounds;
          for (const bound of [least, above]) recordedValue("G", valueOf(bound as number), true);
          const value = recordedValue("N", valueOf(drawn));
          if (!isAsync) return value;
          later(() => (callback as Callback)(undefined as never, value));
        },
    ),
  ]);
}

/** Bytes that the clients of WebSockets (`ws`, undici) draw ahead for the masks of all their frames. */
const MASK_POOLS = new Set([8192, 16_386]);
const MASK_CODE = /[\\/]ws[\\/]lib[\\/]sender\.js$|[\\/]undici[\\/]lib[\\/]|^node:internal\/deps\/undici\//;

/**
 * Masks are none of the program's values, and no record holds them. When a pool is empty depends on what the process has sent
 * before a run.
 */
function isMaskPool({ byteLength }: Filled): boolean {
  if (!MASK_POOLS.has(byteLength)) return false;
  const inMaskCode: StackFormat = (_, trace) =>
    trace.slice(0, 8).some((site) => MASK_CODE.test(site.getFileName() ?? ""));
  return inFormat(inMaskCode, () => new Error().stack as unknown) === true;
}

const valueOf =
  <T>(value: T) =>
  (): T =>
    value;

function isCallback(value: unknown): boolean {
  return value === undefined || typeof value === "function";
}

function watchUuid(real: (options?: object) => string): (options?: object) => string {
  const checked = roomy(real as (...args: never[]) => unknown) as typeof real;
  return function randomUUID(this: unknown, options) {
    const value = options === undefined ? real.call(this) : checked.call(this, options);
    return here() === null ? value : recordedValue("U", valueOf(value));
  };
}

type FillSync = (buffer: Filled, offset?: number, size?: number) => Filled;

/** The bytes are filled at once and the callback is called later; a program may read them only in its callback. */
function watchFill(fillSync: FillSync) {
  return (real: (buffer: Filled, ...rest: unknown[]) => void) =>
    (buffer: Filled, ...rest: unknown[]): void => {
      const callback = rest.find((a) => typeof a === "function") as Callback | undefined;
      if (here() === null || callback === undefined) return real(buffer, ...rest);
      const [offset, size] = rest.slice(0, rest.indexOf(callback)) as (number | undefined)[];
      fillSync(buffer, offset, size);
      const bytes = region(buffer, offset, size);
      if (bytes.length === 0) return callback(null, buffer);
      redraw(bytes);
      later(() => callback(null, buffer));
    };
}

/** `offset` and `size` count elements, as in `randomFill`. */
function region(buffer: Filled, offset = 0, size?: number): Uint8Array {
  const width = "BYTES_PER_ELEMENT" in buffer ? Number(buffer.BYTES_PER_ELEMENT) : 1;
  const from = offset * width;
  return bytesOf(buffer, from, size === undefined ? buffer.byteLength - from : size * width);
}

function bytesOf(buffer: Filled, from: number, length: number): Uint8Array {
  return ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset + from, length)
    : new Uint8Array(buffer, from, length);
}

/** Draws what was just filled; a replay puts the recorded bytes in its place. */
function redraw(bytes: Uint8Array): void {
  const fresh = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const drawn = recordedValue("B", () => fresh);
  if (drawn !== fresh) bytes.set(Buffer.from(drawn, "base64").subarray(0, bytes.length));
}

function later(callback: () => void): void {
  const frame = here();
  if (frame !== null) void new GatedTimer(frame, { type: "Immediate", delay: 0, repeat: false, callback });
}
