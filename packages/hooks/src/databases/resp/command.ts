import { namedValues, type RedisValue } from "./value.ts";

/** A command as the program sent it: its name and arguments. */
export type Command = readonly RedisValue[];

/** In the place of a password. */
const PASSWORD = { omitted: "password" };

/** Commands whose first argument names what is to be done. */
const WITH_SUBCOMMAND = new Set(
  "ACL CLIENT CLUSTER COMMAND CONFIG DEBUG FUNCTION LATENCY MEMORY MODULE OBJECT PUBSUB SCRIPT SENTINEL SLOWLOG XGROUP XINFO".split(
    " ",
  ),
);

/** Of commands whose first key is not their first argument: which it is. 0: they have none */
const KEY_AT: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    (
      "ACL ASKING AUTH BGREWRITEAOF BGSAVE CLIENT CLUSTER COMMAND CONFIG DBSIZE DISCARD ECHO EXEC FAILOVER FLUSHALL FLUSHDB " +
      "FUNCTION HELLO INFO KEYS LASTSAVE LATENCY LOLWUT MODULE MONITOR MULTI PING PUBSUB QUIT RANDOMKEY READONLY READWRITE " +
      "RESET ROLE SAVE SCAN SCRIPT SELECT SENTINEL SHUTDOWN SLOWLOG SWAPDB TIME UNWATCH WAIT WAITAOF"
    )
      .split(" ")
      .map((name) => [name, 0]),
  ),
  BITOP: 2,
  BLMPOP: 3,
  BZMPOP: 3,
  EVAL: 3,
  EVALSHA: 3,
  EVALSHA_RO: 3,
  EVAL_RO: 3,
  FCALL: 3,
  FCALL_RO: 3,
  LMPOP: 2,
  MEMORY: 2,
  OBJECT: 2,
  SINTERCARD: 2,
  XGROUP: 2,
  XINFO: 2,
  ZDIFF: 2,
  ZINTER: 2,
  ZINTERCARD: 2,
  ZMPOP: 2,
  ZUNION: 2,
};

/** Where names and values begin, one after another, up to the end. */
const NAMED_FROM: Readonly<Record<string, number>> = { HMSET: 2, HSET: 2, MSET: 1, MSETNX: 1 };

/** Upper case, as in the documentation of Redis. */
export function verbOf(command: Command): string {
  return wordAt(command, 0);
}

/** Upper case; empty where it is no text. */
export function wordAt(command: Command, at: number): string {
  const word = command[at];
  return typeof word === "string" ? word.toUpperCase() : "";
}

/** Of a command: what it does, and the shape of its first key, such as `GET user:*`. */
export function nameOf(command: Command): string {
  const verb = verbOf(command);
  const [subcommand] = WITH_SUBCOMMAND.has(verb) ? (/^[\w-]{1,32}$/.exec(wordAt(command, 1)) ?? []) : [];
  const key = command[keyAt(verb, command)];
  return [verb, subcommand, typeof key === "string" ? shapeOf(key) : undefined].filter(Boolean).join(" ");
}

/** Of what is written in one go. */
export function nameOfAll(commands: readonly Command[]): string {
  const [first = []] = commands;
  if (commands.length === 1) return nameOf(first);
  const isTransaction = verbOf(first) === "MULTI";
  const named = isTransaction ? commands.slice(1).filter((each) => verbOf(each) !== "EXEC") : commands;
  const shown = named.slice(0, 3).map(nameOf).join(", ");
  return `${isTransaction ? "MULTI" : "PIPELINE"} ${shown}${named.length > 3 ? `, ${named.length - 3} more` : ""}`.trim();
}

function keyAt(verb: string, command: Command): number {
  if (verb !== "XREAD" && verb !== "XREADGROUP") return Object.hasOwn(KEY_AT, verb) ? keyNumber(verb) : 1;
  const streams = command.findIndex((_, at) => wordAt(command, at) === "STREAMS");
  return streams === -1 ? 0 : streams + 1;
}

const keyNumber = (verb: string): number => KEY_AT[verb] || Number.POSITIVE_INFINITY;

/** A key without what tells one from another: `user:42:cart` is `user:*:cart`. */
function shapeOf(key: string): string {
  const parts = key.slice(0, 256).split(/([:/|{}])/);
  return parts
    .map((part) => (part === "" || /^[:/|{}]$|^[a-z_-]{1,24}$/i.test(part) ? part : "*"))
    .join("")
    .slice(0, 64);
}

/** The arguments as a step has them: without passwords, and names beside their values. */
export function readableCommand(command: Command): readonly unknown[] {
  const verb = verbOf(command);
  const open = Object.hasOwn(SECRETS, verb) ? (SECRETS[verb]?.(command) ?? command) : command;
  const from = NAMED_FROM[verb];
  const named = from === undefined ? undefined : namedValues(command.slice(from));
  return named === undefined ? open : [...open.slice(0, from), named];
}

/** Commands with passwords among their arguments: what is left of them. */
const SECRETS: Readonly<Record<string, (command: Command) => readonly unknown[]>> = {
  AUTH: (command) => [...command.slice(0, -1), PASSWORD],
  HELLO: afterAuth(2),
  MIGRATE: (command) => afterAuth(1)(afterAuth(2, "AUTH2")(command) as Command),
  // `>password`, `<password`, `#hash`, `!hash`
  ACL: (command) => command.map((arg) => (typeof arg === "string" && /^[><#!]/.test(arg) ? PASSWORD : arg)),
  CONFIG: (command) => command.map((arg, at) => (at > 2 && isSecretName(command[at - 1]) ? PASSWORD : arg)),
  SENTINEL: (command) => command.map((arg, at) => (at > 2 && isSecretName(command[at - 1]) ? PASSWORD : arg)),
};

const isSecretName = (arg: RedisValue | undefined): boolean => typeof arg === "string" && /pass|auth/i.test(arg);

/** The password is so many arguments behind this word. */
function afterAuth(distance: number, word = "AUTH"): (command: Command) => readonly unknown[] {
  return (command) => {
    const at = command.findIndex((_, n) => n > 0 && wordAt(command, n) === word);
    return at === -1 ? command : command.with(at + distance, PASSWORD as never);
  };
}
