export { checkServers } from "./check/check-servers.ts";
export type { ServerCheck } from "./check/server-check.ts";
export { type Collector, type CollectorAddress, createCollector } from "./app.ts";
export { CollectorError, type CollectorErrorCode } from "./collector-error.ts";
export { loadConfig } from "./config.ts";
export type { CollectorConfig, Destination } from "./config-schema.ts";
export { createLog, type Log, type LogLevel } from "./log.ts";
export { reasonOf, refusal } from "./refusal.ts";
export { OfflineTooLarge } from "./offline/offline-answers.ts";
export { type OfflinePage, offlinePage } from "./offline/offline-page.ts";
export type { Project, ProjectCheck, ProjectTest } from "./project/project.ts";
export type {
  LiveBudget,
  LiveReplay,
  ReplayOptions,
  ReplayPlan,
  ReplayState,
  DemoRun,
  TestsRun,
  Workbench,
} from "./project/workbench.ts";
export { type RemadeCatalog, remakeCatalog } from "./rebuild/remake-catalog.ts";
export { fitsEnvelope } from "./query/fits-envelope.ts";
export { formatFilter } from "./query/format-filter.ts";
export { openApi } from "./query/openapi.ts";
export { parseMoment } from "./query/moment.ts";
export { parseFilter } from "./query/parse-filter.ts";
export { redactFilter } from "./query/redact-filter.ts";
