import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { ApiFailure } from "../api/api-failure.ts";
import { type Answer, call } from "../api/call.ts";
import { FailurePage } from "../failure/failure-page.tsx";
import { useKeys } from "../layout/use-keys.ts";
import { useTitle } from "../layout/use-title.ts";
import type { ErrorsSearch } from "../search.ts";
import { age, moment, number } from "../text/format.ts";
import { type ErrorGroup, ErrorRow, filterOf, withoutReplays } from "./error-row.tsx";

const route = getRouteApi("/errors");
const MOST = 100;

/** Runs that failed in the same way, as groups. */
export function ErrorsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { filter = "", since = "", only } = search;
  const [chosen, choose] = useState<string | null>(null);
  useTitle("Errors");
  const query = useQuery({
    queryKey: ["errors", filter, since],
    queryFn: ({ signal }) =>
      call("listErrors", { query: { filter: withoutReplays(filter), since: since || undefined, limit: MOST }, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
  const all = query.data?.errors ?? [];
  const groups = only === "new" ? all.filter(({ isNew }) => isNew === true) : all;
  const change = (next: ErrorsSearch) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const placeOf = (fingerprint: string | null) => groups.findIndex((group) => group.fingerprint === fingerprint);
  const move = (by: 1 | -1) =>
    choose((now) => groups[Math.min(groups.length - 1, Math.max(0, placeOf(now) + by))]?.fingerprint ?? null);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const group = groups[placeOf(chosen)];
      if (group) void navigate({ to: "/", search: { filter: filterOf(group, filter) } });
    },
    Escape: () => (placeOf(chosen) === -1 ? void navigate({ to: "/", search: {} }) : choose(null)),
  });

  const problem = query.error instanceof ApiFailure && query.error.code === "BAD_FILTER" ? query.error : null;
  if (query.error && problem === null) return <FailurePage error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className="errors">
      <header className="page-head">
        <h1>Errors</h1>
        <p className="muted">
          Failed runs whose errors differ only in ids, numbers, times, paths and addresses are one group.
        </p>
      </header>
      <div className="errors-bar">
        {query.data && <Since data={query.data} search={search} change={change} />}
        <FilterNote search={search} />
      </div>
      {query.isPending && <p className="muted loading">Reading the errors …</p>}
      {problem && (
        <p role="alert" className="problem">
          {problem.message}
        </p>
      )}
      {query.data && problem === null && (
        <Groups groups={groups} exact={query.data.exact} search={search} chosen={chosen} />
      )}
    </div>
  );
}

function FilterNote({ search }: { search: ErrorsSearch }) {
  if (!search.filter) return null;
  return (
    <p className="errors-filter">
      of runs that fit <code>{search.filter}</code>{" "}
      <Link to="/errors" search={{ ...search, filter: undefined }}>
        all runs
      </Link>
    </p>
  );
}

interface GroupsProps {
  readonly groups: readonly ErrorGroup[];
  readonly exact: boolean;
  readonly search: ErrorsSearch;
  /** fingerprint of the selected one */
  readonly chosen: string | null;
}

function Groups({ groups, exact, search: { filter = "", only }, chosen }: GroupsProps) {
  return (
    <>
      <p className="muted errors-count" role="status">
        {exact ? "" : "at least "}
        {number(groups.length)} {groups.length === 1 ? "error" : "errors"}
        {groups.length === MOST && ", the newest ones"}
      </p>
      {groups.length === 0 && <NoErrors isFiltered={filter !== "" || only === "new"} />}
      {groups.length > 0 && (
        <ol className="error-groups">
          {groups.map((group) => (
            <ErrorRow key={group.fingerprint} group={group} filter={filter} isSelected={group.fingerprint === chosen} />
          ))}
        </ol>
      )}
    </>
  );
}

interface SinceProps {
  readonly data: Answer<"listErrors">;
  readonly search: ErrorsSearch;
  readonly change: (next: ErrorsSearch) => void;
}

/** Which version the errors are compared with, and whether only new ones are shown. */
function Since({ data: { versions, since: first }, search: { since = "", only }, change }: SinceProps) {
  if (versions.length === 0)
    return <p className="muted">No run names its version, so none of them can be called new since one.</p>;
  return (
    <>
      <label className="since">
        New since version{" "}
        <select value={since} onChange={({ target }) => change({ since: target.value || undefined, only: undefined })}>
          <option value="">–</option>
          {versions.map(({ version }) => (
            <option key={version} value={version}>
              {version}
            </option>
          ))}
        </select>
      </label>
      {first !== null && (
        <>
          <label className="only-new">
            <input
              type="checkbox"
              checked={only === "new"}
              onChange={({ target }) => change({ only: target.checked ? "new" : undefined })}
            />{" "}
            only new ones
          </label>
          <span className="muted" title={moment(first)}>
            first run of it {age(first, Date.now())} ago
          </span>
        </>
      )}
    </>
  );
}

function NoErrors({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="empty">
      <p>{isFiltered ? "No error fits." : "No run has failed."}</p>
      <p>
        <Link to="/">See the runs</Link>
      </p>
    </div>
  );
}
