import { createHashHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { offline } from "./api/offline.ts";
import { DiffPage } from "./diff/diff-page.tsx";
import { ErrorsPage } from "./errors/errors-page.tsx";
import { FailurePage, NoPage } from "./failure/failure-page.tsx";
import { Layout } from "./layout/layout.tsx";
import { RunPage } from "./run/run-page.tsx";
import { RunsPage } from "./runs/runs-page.tsx";
import {
  diffSearch,
  errorsSearch,
  parseSearch,
  runSearch,
  runsSearch,
  settingsSearch,
  stringifySearch,
  testsSearch,
  workbenchSearch,
} from "./search.ts";
import { SettingsPage } from "./settings/settings-page.tsx";
import { SetupPage } from "./setup/setup-page.tsx";
import { TestsPage } from "./tests/tests-page.tsx";
import { WorkbenchPage } from "./workbench/workbench-page.tsx";

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NoPage,
  errorComponent: ({ error }) => <FailurePage error={error instanceof Error ? error : new Error(String(error))} />,
});
const runs = createRoute({ getParentRoute: () => root, path: "/", component: RunsPage, validateSearch: runsSearch });
const run = createRoute({ getParentRoute: () => root, path: "/r/$run", component: RunPage, validateSearch: runSearch });
const workbench = createRoute({
  getParentRoute: () => root,
  path: "/r/$run/replay",
  component: WorkbenchPage,
  validateSearch: workbenchSearch,
});
const diff = createRoute({
  getParentRoute: () => root,
  path: "/diff/$a/$b",
  component: DiffPage,
  validateSearch: diffSearch,
});
const errors = createRoute({
  getParentRoute: () => root,
  path: "/errors",
  component: ErrorsPage,
  validateSearch: errorsSearch,
});
const tests = createRoute({
  getParentRoute: () => root,
  path: "/tests",
  component: TestsPage,
  validateSearch: testsSearch,
});
const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: SettingsPage,
  validateSearch: settingsSearch,
});
const setup = createRoute({ getParentRoute: () => root, path: "/setup", component: SetupPage });

// a file that was opened from a disk has one page, and its state behind `#`
if (offline !== null && !location.hash.startsWith(`#/r/${offline.run}`)) location.replace(`#/r/${offline.run}`);

export const router = createRouter({
  routeTree: root.addChildren(offline === null ? [runs, run, workbench, diff, errors, tests, settings, setup] : [run]),
  basepath: offline === null ? new URL(document.baseURI).pathname : "/",
  ...(offline !== null && { history: createHashHistory() }),
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
