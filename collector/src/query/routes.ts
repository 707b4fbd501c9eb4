import type { z } from "zod";
import {
  facetsAnswer,
  facetsQuery,
  feedbackBody,
  flagBody,
  keepBody,
  retentionAnswer,
  runAnswer,
  runsAnswer,
  runsQuery,
  saidAnswer,
  storeAnswer,
} from "./api-schema.ts";

export type Scope = "ingest" | "read" | "admin";

export interface Route {
  readonly method: "get" | "post";
  /** `:run` is 4 to 32 hex digits, the begin of a run's id */
  readonly path: string;
  readonly scope: Scope | null;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
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

/** What there is; the server and the OpenAPI document are both made from it. */
export const ROUTES = {
  listRuns: {
    method: "get",
    path: "/runs",
    scope: "read",
    summary: "Runs, newest first, those still open included",
    query: runsQuery,
    answer: runsAnswer,
  },
  getRun: { method: "get", path: "/runs/:run", scope: "read", summary: "One run", answer: runAnswer },
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
  getFacets: {
    method: "get",
    path: "/facets",
    scope: "read",
    summary: "The most frequent values of fields, with the number of sealed runs that have them",
    query: facetsQuery,
    answer: facetsAnswer,
  },
  getStore: {
    method: "get",
    path: "/store",
    scope: "read",
    summary: "What the store was found to have when the collector started",
    answer: storeAnswer,
  },
  getRetention: {
    method: "get",
    path: "/retention",
    scope: "admin",
    summary: "What a sweep at this moment would remove, what stays, and what both cost a month; removes nothing",
    answer: retentionAnswer,
  },
  keepRun: {
    method: "post",
    path: "/runs/:run/keep",
    scope: "admin",
    summary: "Keep the run for ever; one that is not sealed yet, once it is",
    body: keepBody,
    answer: saidAnswer,
  },
  flagRun: {
    method: "post",
    path: "/runs/:run/flag",
    scope: "admin",
    summary: "Flag the run with a reason; the retention rules are asked again, or for the first time when it is sealed",
    body: flagBody,
    answer: saidAnswer,
  },
  giveFeedback: {
    method: "post",
    path: "/runs/:run/feedback",
    scope: "admin",
    summary:
      "A user's or a judge's word on the run; the retention rules are asked again, or for the first time when it is sealed",
    body: feedbackBody,
    answer: saidAnswer,
  },
  getOpenApi: {
    method: "get",
    path: "/openapi.json",
    scope: null,
    summary: "This document",
    types: ["application/json"],
  },
} as const satisfies Record<string, Route>;
