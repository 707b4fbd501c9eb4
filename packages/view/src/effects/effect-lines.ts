import type { Envelope } from "@reenact/envelope/file";
import { count } from "../text/plain-text.ts";
import { effectName, isNativeCode, isRefused, type UnrecordedEffect, unrecordedEffects } from "./unrecorded-effect.ts";
import { unrecordedTools } from "./unrecorded-tools.ts";

const MOST_LINES = 5;

/** How to get an effect recorded. */
export const WRAP =
  'wrap what uses it in tool("name", fn) of @reenact/node and record again; a tool\'s result is served';

/** Lines about the effects that no step records, outside of every tool, and how a replay treats them. */
export function effectLines(run: Pick<Envelope, "facts" | "steps">): string[] {
  const effects = unrecordedEffects(run).filter((effect) => effect.scope === -1 && inReplay(effect) !== null);
  const unrecorded = unrecordedTools(run);
  const tools =
    unrecorded.calls === 0
      ? []
      : [
          `not recorded: ${count(unrecorded.calls, "tool call")} that a model asked for, made without tool()${unrecorded.named}; a replay runs their code again, and stops before one that wrote a file, opened a socket or started a process: ${WRAP}`,
        ];
  const lines = effects
    .slice(0, MOST_LINES)
    .map((effect) => `not recorded: ${effectName(effect)}${inReplay(effect) ?? ""}`);
  if (effects.length > MOST_LINES) lines.push(`not recorded: ${effects.length - MOST_LINES} more of the kind`);
  if (effects.some(({ kind }) => kind === "stdin"))
    lines.push("ask with input() of @reenact/node, whose answers are served, or give each replay the same input");
  if (effects.some(isRefused)) lines.push(`a replay refuses it: ${WRAP}`);
  return [...tools, ...lines];
}

/** How a replay treats an effect that it does not refuse; null: nothing worth a line. */
function inReplay(effect: UnrecordedEffect): string | null {
  if (isRefused(effect)) return "";
  if (effect.kind === "worker") return ": a replay runs it again, under guard";
  if (effect.kind === "udp") return ": a replay drops the datagrams";
  if (effect.kind === "stdin") return ": a replay reads its own";
  return isNativeCode(effect) ? ": a replay runs it again and cannot stop its effects" : null;
}
