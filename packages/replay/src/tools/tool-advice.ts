import type { StopPoint } from "./unrecorded-tools.ts";

/** What to do about tools that were not recorded and that did something outside every step. */
export function adviceFor({ step, tools, effects }: StopPoint): string {
  const [was, them] = tools.length === 1 ? ["was", "it"] : ["were", "them"];
  const wrapped = tools.map((t) => `const ${identifier(t)} = tool("${t}", ${identifier(t)}Body)`).join("; ");
  return (
    `step ${step.index + 1} asks for ${tools.join(", ")}, which ${was} not recorded and did this outside every step: ${effects.slice(0, 3).join(", ")}. ` +
    `Wrap ${them} so that a replay can serve what was recorded: ${wrapped} ` +
    `(import { tool } from "@reenact/node"), or run the bodies again in a scratch copy: --allow-unrecorded-tools`
  );
}

function identifier(name: string): string {
  const id = name.replace(/[^A-Za-z0-9_$]+(.)?/g, (_, c: string | undefined) => (c ?? "").toUpperCase());
  return /^[A-Za-z_$]/.test(id) ? id : `tool${id}`;
}
