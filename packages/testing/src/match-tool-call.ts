import { isDeepStrictEqual } from "node:util";
import type { ToolCall } from "@reenact/replay";
import type { Judgement } from "./fixture/judge.ts";

/** The members that the first argument of the call must have, nested ones too; or a function that decides. */
export type ExpectedArguments = Readonly<Record<string, unknown>> | ((...args: unknown[]) => boolean);

/** Whether a tool was called, with these arguments if some are given. The message covers both outcomes. */
export function matchToolCall(calls: readonly ToolCall[], name: string, expected?: ExpectedArguments): Judgement {
  const named = calls.filter((call) => call.name === name);
  const found = named.find((call) => expected === undefined || hasArguments(call, expected));
  const list = (some: readonly ToolCall[]): string[] => some.map((call) => `  ${call.name}(${argumentsText(call)})`);
  if (found !== undefined)
    return { pass: true, message: [`the tool ${name} was called:`, ...list([found])].join("\n") };
  const other = named.length === 0 ? calls : named;
  const but = other.length === 0 ? ["no recorded tool was called"] : ["these calls were made:", ...list(other)];
  const wanted = expected === undefined || typeof expected === "function" ? "" : ` with ${JSON.stringify(expected)}`;
  return {
    pass: false,
    message: [`the tool ${name} was not called${wanted}; ${but[0] ?? ""}`, ...but.slice(1)].join("\n"),
  };
}

function argumentsText({ arguments: given }: ToolCall): string {
  return Array.isArray(given) ? given.map((value) => JSON.stringify(value)).join(", ") : JSON.stringify(given);
}

function hasArguments({ arguments: given }: ToolCall, expected: ExpectedArguments): boolean {
  const list: unknown[] = Array.isArray(given) ? given : [given];
  return typeof expected === "function" ? expected(...list) : includes(list[0], expected);
}

function includes(value: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null || Array.isArray(expected))
    return isDeepStrictEqual(value, expected);
  if (typeof value !== "object" || value === null) return false;
  const members = value as Record<string, unknown>;
  return Object.entries(expected).every(([key, each]) => Object.hasOwn(members, key) && includes(members[key], each));
}
