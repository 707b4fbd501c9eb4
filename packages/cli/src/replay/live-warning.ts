import type { LiveOptions } from "@reenact/replay";
import { oneLine } from "@reenact/view";

/** Said before a replay that leaves its record: calls cost money, and bodies of tools do what they do. */
export function liveWarning({ models, tools, names, asked, maxCost }: LiveOptions): string {
  const what = [
    ...(models ? ["calls of models are sent, and cost money"] : []),
    ...(tools ? ["bodies of tools and steps run with all that they do"] : []),
    ...(names.length > 0 ? [`${oneLine(names.join(", "), 200)}: real`] : []),
    ...(maxCost === null ? [] : [`nothing is sent once $${maxCost} are spent`]),
  ];
  return `reenact: ${oneLine(asked, 300)}: ${what.join("; ")}\n`;
}
