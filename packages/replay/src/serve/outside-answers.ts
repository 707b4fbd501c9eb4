import { recorder } from "@reenact/capture/recorder";
import { decodeValue, encodeValue, renameTokens } from "@reenact/envelope";
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
 */
export function outsideAnswers(
  tapes: readonly Tape[],
): (target: object, name: string, args: readonly unknown[]) => Answer {
  let servers: readonly Server[] | null = null;
  const given = new Map<string, number>();
  return (target, name, args) => {
    servers ??= tapes.flatMap(serversOf);
    const own = comparable(target);
    const known = servers.filter((server) => server.target === own);
    if (name === "connect") {
      const [first] = known.length > 0 ? known : servers;
      return first === undefined ? undefined : { value: first.told.opened };
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
    return undefined;
  };
}

function serversOf(tape: Tape): Server[] {
  return tape.ordered.flatMap(({ kind, name, record }) => {
    const [first] = record.call?.yields ?? [];
    const isServer = (kind === "DB" && name === "connect") || record.op === "mcp:connection";
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
