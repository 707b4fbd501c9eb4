// What the rows of @reenact/hooks are made of; apart from the main entry, which every agent loads.
export { recordedValue } from "../ambient/recorded-value.ts";
export {
  type CallbackFunction,
  orderCallback,
  orderPromise,
  type PromiseFunction,
} from "../ambient/operations/ordered-operations.ts";
export { replaceMethod } from "../patch/replace-method.ts";
export { here, inReplay, live } from "../run/context.ts";
export { copyFunctionProperties } from "../patch/copy-function-properties.ts";
export { guarded } from "../fault/faults.ts";
export { forgetWrites } from "../leaks/database-writes.ts";
export { openDatabase } from "../leaks/databases.ts";
export { watchFetch } from "../transport/fetch/fetch.ts";
export { watchHttp2 } from "../transport/http2/http2.ts";
export { type Dispatch, type ParseHeaders, watchDispatch } from "../transport/undici/undici-dispatch.ts";
export type {
  Decision,
  DecisionHolder,
  HeldTool,
  Hook,
  MessageChannel,
  MethodStep,
  ToolHolder,
  WatchTool,
} from "./hook.ts";
export type { CarriedOut, HandlerJobs, HandlerPlace } from "./handler-jobs.ts";
export type { JobService, JobSource, ServiceCalls, WatchCall } from "./job-source.ts";
export { argumentAt, type JobTaker } from "./job-taker.ts";
export type { MadeObject } from "./watch-made.ts";
export { CollectedBody } from "../inbound/collected-body.ts";
export { bodyValue } from "../inbound/message-value.ts";
export type { AnyFunction, HookedFile, VersionRange } from "./hooked-file.ts";
export { isWithin } from "./version-range.ts";
export type {
  AttachedWire,
  BindFrame,
  BindTurn,
  WireDriver,
  WireLink,
  WireMessage,
  WireQueue,
  WireRequest,
  WireSession,
} from "./wire/wire-driver.ts";
export { textOrBytes } from "./text-or-bytes.ts";
export { type DatabaseCall, type DatabaseServer, databaseServer, replays } from "./wire/database-server.ts";
export { failedAnswer, WireFailure } from "./wire/live-wire.ts";
export { socketLink } from "./wire/socket-link.ts";
export { markWriter, type WireStream, type WireWriter, wireWriter } from "./wire/wire-stream.ts";
export { watchHooks } from "./watch-hooks.ts";
