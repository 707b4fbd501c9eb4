import { noBody } from "../query/system-schema.ts";
import {
  checksAnswer,
  demoAnswer,
  MOST_SET_BYTES,
  planAnswer,
  planBody,
  replayAnswer,
  replayBody,
  testsAnswer,
  testsBody,
  testsRunAnswer,
  workbenchAnswer,
} from "./project-schema.ts";

/** What is asked of the project over which the collector runs; they are part of `ROUTES`. */
export const PROJECT_ROUTES = {
  listTests: {
    method: "get",
    path: "/tests",
    scope: "read",
    summary: "Recorded runs that are tests of the project over which `reenact up` runs, with their last results",
    answer: testsAnswer,
  },
  startTests: {
    method: "post",
    path: "/tests/runs",
    scope: "admin",
    summary:
      "Run tests of the project over which `reenact up -- <command>` runs; one at a time, and only from pages of this machine",
    body: testsBody,
    answer: testsRunAnswer,
  },
  cancelTests: {
    method: "post",
    path: "/tests/runs/:tests/cancel",
    scope: "admin",
    summary: "End tests and all that they have started",
    body: noBody,
    answer: testsRunAnswer,
  },
  getChecks: {
    method: "get",
    path: "/project/checks",
    scope: "read",
    summary: "What `reenact doctor` finds in the project over which `reenact up` runs",
    answer: checksAnswer,
  },
  startDemo: {
    method: "post",
    path: "/project/demo",
    scope: "admin",
    summary:
      "Record the run of `reenact demo`, and answer when it has ended; needs `reenact up -- <command>`, one at a time, and only from pages of this machine",
    body: noBody,
    answer: demoAnswer,
  },
  getWorkbench: {
    method: "get",
    path: "/workbench",
    scope: "read",
    summary: "The command with which `reenact up` replays runs, and whether this page may replay",
    answer: workbenchAnswer,
  },
  startReplay: {
    method: "post",
    path: "/workbench/replays",
    scope: "admin",
    summary:
      "Replay a run with the command that `reenact up` was given; one at a time, and only from pages of this machine",
    body: replayBody,
    mostBody: 2 * MOST_SET_BYTES,
    answer: replayAnswer,
  },
  planReplay: {
    method: "post",
    path: "/workbench/plans",
    scope: "admin",
    summary:
      "What a replay with live calls would send, to whom, with whose key and up to which cost; starts nothing, and needs `reenact up --allow-live`",
    body: planBody,
    mostBody: 2 * MOST_SET_BYTES,
    answer: planAnswer,
  },
  startPlan: {
    method: "post",
    path: "/workbench/plans/:plan/replay",
    scope: "admin",
    summary: "Start the replay that was described, with real requests; a plan can be started once, within five minutes",
    body: noBody,
    answer: replayAnswer,
  },
  getReplay: {
    method: "get",
    path: "/workbench/replays/:replay",
    scope: "read",
    summary: "One of the last replays, with the verdicts so far",
    answer: replayAnswer,
  },
  cancelReplay: {
    method: "post",
    path: "/workbench/replays/:replay/cancel",
    scope: "admin",
    summary: "End a replay and all that it has started",
    body: noBody,
    answer: replayAnswer,
  },
} as const;
