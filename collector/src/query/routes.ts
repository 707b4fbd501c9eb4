import type { z } from "zod";
import {
  facetsAnswer,
  facetsQuery,
  feedbackBody,
  flagBody,
  keepBody,
  marksAnswer,
  retentionAnswer,
  retentionQuery,
  unsealedAnswer,
  runAnswer,
  runQuery,
  runsAnswer,
  runsQuery,
  markAnswer,
  storeAnswer,
  watchQuery,
  watchRunQuery,
  linkBody,
  sessionBody,
  signedOutAnswer,
  whoAnswer,
} from "./api-schema.ts";
import {
  errorsAnswer,
  errorsQuery,
  memberQuery,
  seriesAnswer,
  seriesQuery,
  sessionAnswer,
  sessionsAnswer,
  sumsQuery,
  userAnswer,
  usersAnswer,
} from "./sums-schema.ts";
import { diffAnswer, diffQuery } from "./diff-schema.ts";
import {
  destinationsAnswer,
  heldLettersAnswer,
  heldLettersQuery,
  lettersAnswer,
  noBody,
  systemAnswer,
} from "./system-schema.ts";
import { PROJECT_ROUTES } from "../project/project-routes.ts";
import { SETTINGS_ROUTES } from "../settings/settings-routes.ts";
import { contextAnswer, itemsAnswer, viewAnswer, viewQuery } from "./view-schema.ts";
import { stepAnswer, treeAnswer, treeQuery } from "./step-schema.ts";

export type Scope = "ingest" | "read" | "admin" | "metrics";
export type Asked = Scope | "any";

export interface Route {
  readonly method: "get" | "post" | "delete";
  /** what a `:name` in it is, `PATH_PARAMETERS` says */
  readonly path: string;
  /** any: whatever the key may do; null: no key is asked for */
  readonly scope: Asked | null;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** bytes of the body; default: 64 KB */
  readonly mostBody?: number;
  /** absent: the answer is no JSON of ours */
  readonly answer?: z.ZodType;
  /** media types of an answer that is bytes */
  readonly types?: readonly string[];
  /** a range of the answer's bytes may be asked for */
  readonly ranges?: true;
}

export const API = "/api/v1";
export const ENVELOPE_TYPE = "application/vnd.reenact.envelope";
export const OTLP_TYPES = ["application/x-protobuf", "application/json"] as const;

const PART_TYPES = ["application/json", "text/plain", "application/octet-stream", "image/*", "audio/*"] as const;

const EVENT_TYPES = ["text/event-stream"] as const;

/** Pattern and description of each `:name` in a path. */
export const PATH_PARAMETERS: Readonly<Record<string, { readonly pattern: string; readonly description: string }>> = {
  run: { pattern: "^[0-9a-f]{4,32}$", description: "the begin of a run's id" },
  step: { pattern: "^([0-9a-f]{16}|[1-9][0-9]{0,8})$", description: "id of the step's span, or its number" },
  session: { pattern: "^.{1,500}$", description: "as recorded: a token where it was redacted" },
  user: { pattern: "^.{1,500}$", description: "as recorded: a token where it was redacted" },
  mark: { pattern: "^[0-9a-f]{16}$", description: "id of a mark, as listed by /runs/:run/marks" },
  destination: { pattern: "^[A-Za-z0-9_-]{1,64}$", description: "name of the destination" },
  plan: { pattern: "^[0-9a-f]{32}$", description: "id of a replay that was described" },
  tests: { pattern: "^[0-9a-f]{16}$", description: "id of tests that a page has started" },
  replay: { pattern: "^[0-9a-f]{16}$", description: "id of a replay, as it was answered when it was started" },
  digest: { pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the part, as the step lists it" },
};

/** All routes. The server and the OpenAPI document are both made from this table. */
export const ROUTES = {
  whoAmI: {
    method: "get",
    path: "/whoami",
    scope: "any",
    summary: "Whose key it is, what it may do, and what this collector can",
    answer: whoAnswer,
  },
  signIn: {
    method: "post",
    path: "/signin",
    scope: null,
    summary: "Sign in a browser with a key that may read: sets a session cookie that only pages of this collector use",
    body: sessionBody,
    answer: whoAnswer,
  },
  signInByLink: {
    method: "post",
    path: "/signin/link",
    scope: null,
    summary: "Sign in a browser by the link that the collector printed at its start: once, to read, within ten minutes",
    body: linkBody,
    answer: whoAnswer,
  },
  signOut: {
    method: "post",
    path: "/signout",
    scope: null,
    summary: "End the session of this browser",
    body: noBody,
    answer: signedOutAnswer,
  },
  listRuns: {
    method: "get",
    path: "/runs",
    scope: "read",
    summary: "Runs, newest first, those still open included",
    query: runsQuery,
    answer: runsAnswer,
  },
  watchRuns: {
    method: "get",
    path: "/runs/events",
    scope: "read",
    summary: "Runs as they change, as server-sent events `run`, `gone`, `reset`; goes on behind `Last-Event-ID`",
    query: watchQuery,
    types: EVENT_TYPES,
  },
  getRun: { method: "get", path: "/runs/:run", scope: "read", summary: "One run", query: runQuery, answer: runAnswer },
  getEnvelope: {
    method: "get",
    path: "/runs/:run/envelope",
    scope: "read",
    summary: "The sealed envelope, whole or a range of its bytes",
    types: [ENVELOPE_TYPE],
    ranges: true,
  },
  getSpans: {
    method: "get",
    path: "/runs/:run/spans",
    scope: "read",
    summary: "The run's spans as OTLP TracesData, as far as they have arrived",
    types: OTLP_TYPES,
  },
  watchRun: {
    method: "get",
    path: "/runs/:run/events",
    scope: "read",
    summary:
      "The steps of an open run as they arrive, as server-sent events `step`, `run`, `reset`, and `sealed` or `gone` at its end",
    query: watchRunQuery,
    types: EVENT_TYPES,
  },
  getTree: {
    method: "get",
    path: "/runs/:run/tree",
    scope: "read",
    summary: "The run's steps without their payloads, by start, as far as they have arrived",
    query: treeQuery,
    answer: treeAnswer,
  },
  getView: {
    method: "get",
    path: "/runs/:run/view",
    scope: "read",
    summary:
      "The run for reading: question, answer, cause of the failure, and its steps with what each adds to the conversation",
    query: viewQuery,
    answer: viewAnswer,
  },
  getItems: {
    method: "get",
    path: "/runs/:run/view/:step",
    scope: "read",
    summary: "What one step adds to the conversation, each text up to 64 KB",
    answer: itemsAnswer,
  },
  getContext: {
    method: "get",
    path: "/runs/:run/context/:step",
    scope: "read",
    summary:
      "What the model had read at a step, against the call before it, and where the values of the step's calls came from",
    answer: contextAnswer,
  },
  getStep: {
    method: "get",
    path: "/runs/:run/steps/:step",
    scope: "read",
    summary: "One step, with a list of what can be read of it",
    answer: stepAnswer,
  },
  getPart: {
    method: "get",
    path: "/runs/:run/steps/:step/parts/:digest",
    scope: "read",
    summary: "The bytes of one value of a step, whole or a range of them",
    types: PART_TYPES,
    ranges: true,
  },
  getFacets: {
    method: "get",
    path: "/facets",
    scope: "read",
    summary: "The most frequent values of fields, with the number of runs that have them, open ones included",
    query: facetsQuery,
    answer: facetsAnswer,
  },
  getSeries: {
    method: "get",
    path: "/series",
    scope: "read",
    summary: "Runs, failures, tokens, cost and percentiles of the duration over time",
    query: seriesQuery,
    answer: seriesAnswer,
  },
  listErrors: {
    method: "get",
    path: "/errors",
    scope: "read",
    summary: "Runs that failed in the same way, by fingerprint, the newest group first",
    query: errorsQuery,
    answer: errorsAnswer,
  },
  listSessions: {
    method: "get",
    path: "/sessions",
    scope: "read",
    summary: "Sessions of runs in packs with their sums, the newest first",
    query: sumsQuery,
    answer: sessionsAnswer,
  },
  getSession: {
    method: "get",
    path: "/sessions/:session",
    scope: "read",
    summary: "One session with its runs",
    query: memberQuery,
    answer: sessionAnswer,
  },
  listUsers: {
    method: "get",
    path: "/users",
    scope: "read",
    summary: "Users of runs in packs with their sums, the newest first",
    query: sumsQuery,
    answer: usersAnswer,
  },
  getUser: {
    method: "get",
    path: "/users/:user",
    scope: "read",
    summary: "One user, as recorded, with its runs and sessions",
    query: memberQuery,
    answer: userAnswer,
  },
  diffRuns: {
    method: "get",
    path: "/diff",
    scope: "read",
    summary:
      "Two runs step by step, as `reenact diff` compares them: which are the same, which differ and where, which only one has",
    query: diffQuery,
    answer: diffAnswer,
  },
  getSystem: {
    method: "get",
    path: "/system",
    scope: "admin",
    summary: "State of disk, journal and sealing",
    answer: systemAnswer,
  },
  listDestinations: {
    method: "get",
    path: "/destinations",
    scope: "admin",
    summary: "Where spans are forwarded, how far behind each is, and what it did not take",
    answer: destinationsAnswer,
  },
  listLetters: {
    method: "get",
    path: "/destinations/:destination/dead-letters",
    scope: "admin",
    summary: "What a destination did not take, and why",
    query: heldLettersQuery,
    answer: heldLettersAnswer,
  },
  resendLetters: {
    method: "post",
    path: "/destinations/:destination/dead-letters/retry",
    scope: "admin",
    summary: "Send again what a destination did not take, the oldest first, until it refuses one",
    body: noBody,
    answer: lettersAnswer,
  },
  dropLetters: {
    method: "post",
    path: "/destinations/:destination/dead-letters/drop",
    scope: "admin",
    summary: "Remove what a destination did not take",
    body: noBody,
    answer: lettersAnswer,
  },
  getStore: {
    method: "get",
    path: "/store",
    scope: "read",
    summary: "What the store was found to have when the collector started",
    answer: storeAnswer,
  },
  listUnsealed: {
    method: "get",
    path: "/unsealed",
    scope: "read",
    summary: "Runs that could not be sealed: their spans lie in the store as they came",
    answer: unsealedAnswer,
  },
  getRetention: {
    method: "get",
    path: "/retention",
    scope: "admin",
    summary:
      "What a sweep at this moment would remove, what stays, what the classes will hold, and what it costs a month, by the times that are set or others; removes nothing",
    query: retentionQuery,
    answer: retentionAnswer,
  },
  listMarks: {
    method: "get",
    path: "/runs/:run/marks",
    scope: "read",
    summary: "Marks of the run: flags, feedback and scores, with time and key, removed ones included",
    answer: marksAnswer,
  },
  removeMark: {
    method: "delete",
    path: "/runs/:run/marks/:mark",
    scope: "admin",
    summary:
      "Remove a flag, feedback or a score: the run comes back into the class that it has without, and does not expire at once",
    answer: markAnswer,
  },
  keepRun: {
    method: "post",
    path: "/runs/:run/keep",
    scope: "admin",
    summary: "Keep the run for ever; one that is not sealed yet, once it is",
    body: keepBody,
    answer: markAnswer,
  },
  flagRun: {
    method: "post",
    path: "/runs/:run/flag",
    scope: "admin",
    summary: "Flag the run with a reason; the retention rules are asked again, or for the first time when it is sealed",
    body: flagBody,
    answer: markAnswer,
  },
  giveFeedback: {
    method: "post",
    path: "/runs/:run/feedback",
    scope: "admin",
    summary:
      "A user's or a judge's word on the run; the retention rules are asked again, or for the first time when it is sealed",
    body: feedbackBody,
    answer: markAnswer,
  },
  ...PROJECT_ROUTES,
  ...SETTINGS_ROUTES,
  getOpenApi: {
    method: "get",
    path: "/openapi.json",
    scope: null,
    summary: "This document",
    types: ["application/json"],
  },
} as const satisfies Record<string, Route>;
