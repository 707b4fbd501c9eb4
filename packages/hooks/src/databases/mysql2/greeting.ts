import type { MysqlError } from "./answer.ts";
import { donePayload, errorPayload } from "./answer-bytes.ts";
import { packetsOf } from "./packets.ts";
import { PayloadWriter } from "./payload.ts";

/** What a server says of itself before anything is asked. The challenge for the password is not part of it. */
export interface MysqlGreeting {
  readonly version: string;
  readonly thread: number;
  readonly capabilities: number;
  readonly characterSet: number;
  readonly status: number;
  /** how the password is to be proved */
  readonly plugin?: string;
  /** of MariaDB */
  readonly extended?: number;
}

/** How a session began: the greeting, and an error where it was refused. An error alone came instead of the greeting. */
export interface MysqlOpened {
  readonly greeting?: MysqlGreeting;
  readonly error?: MysqlError;
}

const CHALLENGE_BYTES = 20;
/** what a driver answers to it goes nowhere, so every session may have the same */
const NO_CHALLENGE = Buffer.alloc(CHALLENGE_BYTES, "x");

/** The bytes of both, with which a driver that answers the greeting finds its session open or refused. */
export function openedBytes({ greeting, error }: MysqlOpened, challenge: Buffer = NO_CHALLENGE): Buffer {
  if (greeting === undefined) return packetsOf(error === undefined ? [] : [errorPayload(error)], 0);
  const outcome =
    error === undefined
      ? donePayload({ affectedRows: 0, insertId: 0, status: greeting.status, warnings: 0 })
      : errorPayload(error);
  // number 1 is the driver's
  return Buffer.concat([packetsOf([greetingPayload(greeting, challenge)], 0), packetsOf([outcome], 2)]);
}

function greetingPayload(greeting: MysqlGreeting, challenge: Buffer): Buffer {
  const { version, thread, capabilities, characterSet, status, plugin, extended = 0 } = greeting;
  const writer = new PayloadWriter().uint(10, 1).raw(`${version}\0`).uint(thread, 4);
  writer
    .raw(challenge.subarray(0, 8))
    .uint(0, 1)
    .uint(capabilities & 0xff_ff, 2)
    .uint(characterSet, 1);
  writer
    .uint(status, 2)
    .uint(capabilities >>> 16, 2)
    .uint(plugin === undefined ? 0 : CHALLENGE_BYTES + 1, 1);
  writer.raw(Buffer.alloc(6)).uint(extended, 4).raw(challenge.subarray(8)).uint(0, 1);
  return (plugin === undefined ? writer : writer.raw(`${plugin}\0`)).payload();
}

export function isOpened(value: unknown): value is MysqlOpened {
  return typeof value === "object" && value !== null && ("greeting" in value || "error" in value);
}
