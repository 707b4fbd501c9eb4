export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * One line of JSON per event: time, level, event, then the fields. An event is a fixed name in dots and dashes, what
 * varies is a field. Values of payloads are never logged. An `Error` becomes its code and message.
 */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Lines below `least` are dropped. `write` gets each line with its line feed; the default is standard error. */
export function createLog(options: { least?: LogLevel; write?: (line: string) => void; now?: () => number } = {}): Log {
  const least = RANK[options.least ?? "info"];
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const now = options.now ?? Date.now;
  return (level, event, fields = {}) => {
    if (RANK[level] < least) return;
    const line = { time: new Date(now()).toISOString(), level, event, ...fields };
    write(`${JSON.stringify(line, plain)}\n`);
  };
}

/** Drops everything: for parts that run alone. */
export const noLog: Log = () => {};

function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return value instanceof Error ? errorFields(value) : value;
}

/** The fields of a log line for an error. */
export function errorFields(error: Error): LogFields {
  const { code } = error as { code?: unknown };
  return { ...(code !== undefined && { code }), name: error.name, message: error.message };
}
