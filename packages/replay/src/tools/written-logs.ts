import type { RecordedLeak } from "../tape/tape.ts";

const LOG_NAME = /\.log(?:[-._][\w.-]+)?$|[/\\]logs?[/\\][^/\\]+$|[/\\]logs?$/i;

/** Packages that write logs; each may open its file as late as at the first line. */
const LOGGERS =
  /^(?:bunyan|electron-log|file-stream-rotator|log4js|loglevel[\w-]*|pino[\w-]*|roarr|rotating-file-stream|sonic-boom|streamroller|thread-stream|tslog|winston[\w-]*)$/;

/** Whether a file that was written is a log, by its name or by the package that writes it. */
export function isLog({ target, by = "" }: Pick<RecordedLeak, "target" | "by">): boolean {
  return LOG_NAME.test(target) || LOGGERS.test(by);
}
