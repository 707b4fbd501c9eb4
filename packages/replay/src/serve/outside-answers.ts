import { type JobValue, recorder } from "@reenact/capture/recorder";
import { decodeValue, encodeValue, renameTokens } from "@reenact/envelope";
import { recordedJob } from "../child/deliver-job.ts";
import type { Tape } from "../tape/tape.ts";

/** As the recorder tells it in the first value of the step of a server. */
interface Told {
  readonly opened?: unknown;
  readonly outside?: readonly { readonly name: string; readonly args: readonly unknown[]; readonly value: unknown }[];
}

interface Server {
  readonly target: string;
  readonly told: Told;
}

type Answer = { readonly value: unknown } | undefined;

/**
 * Answers what a program asks of a server outside of every recorded run, such as at its start: from what the runs tell of it.
 * The same question is answered as often as it was recorded, then as it was the last time. undefined: no run tells.
 *
 * @param unknownWaits what no run tells is not answered, for ever
 */
export function outsideAnswers(
  tapes: readonly Tape[],
  unknownWaits = false,
): (target: object, name: string, args: readonly unknown[]) => Answer {
  let servers: readonly Server[] | null = null;
  const given = new Map<string, number>();
  const answerOfService = (of: string): Answer => {
    const same = (jobOf(tapes)?.startUp ?? []).filter((each) => each.of === of);
    const n = given.get(of) ?? 0;
    given.set(of, n + 1);
    const found = same[Math.min(n, same.length - 1)];
    return found === undefined ? unknown() : { value: found.value };
  };
  const unknown = (): Answer => (unknownWaits ? { value: new Promise(() => {}) } : undefined);
  return (target, name, args) => {
    if ("service" in target) return answerOfService(`${String(target.service)} ${name}`);
    servers ??= tapes.flatMap(serversOf);
    const own = comparable(target);
    const known = servers.filter((server) => server.target === own);
    if (name === "connect") {
      const [first] = known.length > 0 || unknownWaits ? known : servers;
      return first === undefined ? unknown() : { value: first.told.opened };
    }
    const key = `${own} ${name} ${comparable(args)}`;
    for (const { told } of known) {
      const same = (told.outside ?? []).filter(
        (each) => each.name === name && comparable(each.args) === comparable(args),
      );
      const n = given.get(key) ?? 0;
      const found = same[Math.min(n, same.length - 1)];
      if (found === undefined) continue;
      given.set(key, n + 1);
      return { value: found.value };
    }
    return unknown();
  };
}

/** The job of the run that is replayed: it tells most of the start of its process. */
function jobOf([target]: readonly Tape[]): JobValue | null {
  return target === undefined || target.root.trigger !== "job" ? null : recordedJob(target);
}

function serversOf(tape: Tape): Server[] {
  return tape.ordered.flatMap(({ kind, name, record }) => {
    const [first] = record.call?.yields ?? [];
    const isServer = (kind === "DB" && name === "connect") || /^(?:mcp|websocket):connection$/.test(record.op);
    if (!isServer || first === undefined || record.call === undefined) return [];
    const [target] = decodeValue(record.call.args) as readonly [object];
    return [{ target: comparable(target), told: decodeValue(first) as Told }];
  });
}

/** Redacted as in a record, with its tokens by their order: another key makes others. */
function comparable(value: unknown): string {
  const { text } = encodeValue(value);
  return renameTokens(recorder.scrubber?.scrub(text, { mime: "application/json" }).text ?? text);
}
