import type { LiveOptions, Tape } from "@reenact/replay";
import { dollars, oneLine } from "@reenact/view";

/**
 * Said before a replay that leaves its record: calls cost money, and bodies of tools do what they do. The recorded hosts are named; a call
 * goes to one of them only if it is its provider's own, or one that the caller asks for.
 */
export function liveWarning({ models, tools, names, asked, maxCost, after }: LiveOptions, { ordered }: Tape): string {
  const hosts = ordered.flatMap(({ kind, index, record: { exchange } }) =>
    kind === "HTTP" || exchange === undefined || index < (after ?? 0) ? [] : hostOf(exchange.request.url),
  );
  const to = hosts.length === 0 ? "," : `, recorded to ${oneLine([...new Set(hosts)].join(", "), 200)},`;
  const what = [
    ...(models ? [`calls of models are sent${to} and cost money`] : []),
    ...(tools ? ["bodies of tools and steps run with all that they do"] : []),
    ...(names.length > 0 ? [`${oneLine(names.join(", "), 200)}: real`] : []),
    ...(maxCost === null ? [] : [`nothing is sent once ${dollars(maxCost)} are spent`]),
  ];
  return `reenact: ${oneLine(asked, 300)}: ${what.join("; ")}\n`;
}

const hostOf = (url: string): string[] => (URL.canParse(url) ? [new URL(url).host] : []);
