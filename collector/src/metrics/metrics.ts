export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** One family of the Prometheus text format. Counters end in `_total`, and only grow while the process lives. */
export interface Metric {
  readonly name: string;
  readonly kind: "counter" | "gauge";
  /** what it counts, and in what unit */
  readonly help: string;
  readonly samples: readonly Sample[];
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function renderMetrics(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, kind, help, samples }) => [
    `# HELP ${name} ${escaped(help)}`,
    `# TYPE ${name} ${kind}`,
    ...samples.map(({ value, labels }) => `${name}${labelsOf(labels)} ${value}`),
  ]);
  return `${lines.join("\n")}\n`;
}

function labelsOf(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(
    ([key, value]) => `${key}="${escaped(value).replaceAll('"', String.raw`\"`)}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (text: string) => text.replaceAll("\\", String.raw`\\`).replaceAll("\n", String.raw`\n`);
