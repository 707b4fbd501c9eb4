import type { Outcome } from "./trial.ts";

/** One row for each group, and their sum, as Markdown. */
export function table(groups: ReadonlyMap<string, readonly Outcome[]>): string {
  return [
    "| group | programs | runs | steps | as recorded | exact calls | equivalent | other | sockets |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...[...groups].map(([name, outcomes]) => row(name, outcomes)),
    row("**all**", [...groups.values()].flat()),
  ].join("\n");
}

function row(name: string, outcomes: readonly Outcome[]): string {
  const recorded = outcomes.filter(({ runs }) => runs > 0);
  const sum = (of: (outcome: Outcome) => number): number => recorded.reduce((all, each) => all + of(each), 0);
  const same = recorded.filter(({ problem }) => problem === null).length;
  const cells = [
    recorded.length,
    sum(({ runs }) => runs),
    sum(({ steps }) => steps),
    `${same} (${recorded.length === 0 ? 100 : ((100 * same) / recorded.length).toFixed(same === recorded.length ? 0 : 1)} %)`,
    sum(({ exact }) => exact),
    sum(({ equivalent }) => equivalent),
    sum(({ otherCalls }) => otherCalls),
    sum(({ sockets }) => sockets),
  ];
  return `| ${name} | ${cells.join(" | ")} |`;
}
