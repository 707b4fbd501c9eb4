import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { ApiFailure } from "../api/api-failure.ts";
import { type Answer, call } from "../api/call.ts";
import type { SettingsSearch } from "../search.ts";
import { CopyLine } from "../setup/copy-line.tsx";
import { bytes, dollars, number } from "../text/format.ts";

const route = getRouteApi("/settings");
const CLASSES = ["short", "sample", "keep"] as const;
const WHAT: Readonly<Record<(typeof CLASSES)[number], string>> = {
  short: "every run that nothing else chose",
  sample: "a share of runs, by the hash of their id",
  keep: "failed, flagged and kept runs",
};

type Retention = Answer<"getSettings">["retention"];
type Plan = Answer<"getRetention">;

/** What the classes hold and will hold, by the times that are set or by others. */
export function Storage({ settings }: { settings: Retention }) {
  const search = route.useSearch();
  const { short, sample, share } = search;
  const isAsked = short !== undefined || sample !== undefined || share !== undefined;
  const { data, error } = useQuery({
    queryKey: ["retention", short, sample, share],
    queryFn: ({ signal }) => call("getRetention", { query: { short, sample, sampleShare: share }, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const problem = error instanceof ApiFailure ? error.message : (error?.message ?? null);
  return (
    <section className="settings-part" aria-labelledby="storage-title">
      <h2 id="storage-title">Storage</h2>
      <p className="muted">
        A class says how long a run is kept. A sweep removes what is past its time
        {settings.sweepEvery > 0 ? `, every ${span(settings.sweepEvery)}.` : " when it is asked to."}
      </p>
      {settings.local !== null && (
        <p className="muted">
          Runs that were recorded into <code>{settings.local}</code> are not among these: no class applies to them, and{" "}
          <code>reenact prune</code> removes them.
        </p>
      )}
      {data && problem === null && <Classes plan={data} settings={settings} isAsked={isAsked} />}
      {data === undefined && problem === null && <p className="muted">Counting what is stored …</p>}
      <DryRun key={JSON.stringify(search)} search={search} settings={settings} problem={problem} />
      {isAsked && problem === null && data && <HowToApply search={search} />}
      <Rules settings={settings} />
    </section>
  );
}

function Classes({ plan, settings, isAsked }: { plan: Plan; settings: Retention; isAsked: boolean }) {
  const { goes, stays, predicted, price, usdPerMonth, times } = plan;
  const kept = (of: (typeof CLASSES)[number]) => {
    if (of === "keep") return "for ever";
    const [now, asked] = [settings[of], times[of]];
    return now === asked ? span(now) : `${span(asked)} (now ${span(now)})`;
  };
  return (
    <>
      <div className="table-scroll" role="region" aria-label="Classes" tabIndex={0}>
        <table className="step-table">
          <thead>
            <tr>
              <th scope="col">Class</th>
              <th scope="col">Kept</th>
              <th scope="col" className="amount">
                Holds
              </th>
              <th scope="col" className="amount">
                A sweep now removes
              </th>
              <th scope="col" className="amount">
                Comes in a day
              </th>
              <th scope="col" className="amount">
                Will hold
              </th>
              <th scope="col" className="amount">
                Then a month
              </th>
            </tr>
          </thead>
          <tbody>
            {CLASSES.map((of) => (
              <tr key={of}>
                <th scope="row">
                  {of} <span className="settings-what muted">{WHAT[of]}</span>
                </th>
                <td>{kept(of)}</td>
                <td className="amount">{amount(goes[of].runs + stays[of].runs, goes[of].bytes + stays[of].bytes)}</td>
                <td className="amount">{goes[of].runs === 0 ? "–" : amount(goes[of].runs, goes[of].bytes)}</td>
                <td className="amount">{bytes(predicted[of].bytesPerDay)}</td>
                <td className="amount">
                  {bytes(predicted[of].bytes)}
                  {of === "keep" && <span className="muted"> in a year</span>}
                </td>
                <td className="amount">{price.usdPerGbMonth === 0 ? "–" : dollars(predicted[of].usdPerMonth)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted settings-foot" role="status">
        {isAsked ? "With these settings a sweep at this moment would remove " : "A sweep at this moment removes "}
        {removed(plan)}.{" "}
        {price.usdPerGbMonth === 0
          ? `Storage has no price here (${price.source}). `
          : `What stays costs ${dollars(usdPerMonth.stays)} a month, at ${dollars(price.usdPerGbMonth)} per GB and month (${price.source}). `}
        Predicted by what came in the last seven days.
      </p>
    </>
  );
}

function removed({ goes }: Plan): string {
  const runs = CLASSES.reduce((sum, of) => sum + goes[of].runs, 0);
  return runs === 0
    ? "nothing"
    : amount(
        runs,
        CLASSES.reduce((sum, of) => sum + goes[of].bytes, 0),
      );
}

const amount = (runs: number, size: number): string => `${number(runs)} ${runs === 1 ? "run" : "runs"}, ${bytes(size)}`;

interface DryRunProps {
  readonly search: SettingsSearch;
  readonly settings: Retention;
  readonly problem: string | null;
}

/** Other times, to see what they would do before anything is written into the configuration. */
function DryRun({ search, settings, problem }: DryRunProps) {
  const navigate = route.useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (name: string) => {
      const value = form.get(name);
      return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
    };
    const share = given("share");
    void navigate({
      search: {
        short: given("short"),
        sample: given("sample"),
        share: share === undefined ? undefined : Number(share),
      },
    });
  };
  return (
    <form className="dry-run" onSubmit={submit} aria-label="Dry run">
      <label>
        Keep short for
        <input name="short" defaultValue={search.short ?? ""} placeholder={span(settings.short)} pattern={DURATION} />
      </label>
      <label>
        Keep sample for
        <input
          name="sample"
          defaultValue={search.sample ?? ""}
          placeholder={span(settings.sample)}
          pattern={DURATION}
        />
      </label>
      <label>
        Share of sample
        <input
          name="share"
          type="number"
          min="0"
          max="1"
          step="any"
          defaultValue={search.share ?? ""}
          placeholder={String(settings.sampleShare)}
        />
      </label>
      <button className="button">Dry run</button>
      {Object.values(search).some((each) => each !== undefined) && (
        <button type="button" className="button quiet" onClick={() => void navigate({ search: {} })}>
          Show the current settings
        </button>
      )}
      <p role="alert" className="problem">
        {problem}
      </p>
    </form>
  );
}

const DURATION = String.raw`\s*[0-9]+(\.[0-9]+)?(ms|s|m|h|d)\s*`;

/** The configuration that does it: the collector has no other place for settings. */
function HowToApply({ search: { short, sample, share } }: { search: SettingsSearch }) {
  const lines = [
    ...(short === undefined ? [] : [`  short: ${short}`]),
    ...(sample === undefined ? [] : [`  sample: ${sample}`]),
    ...(share === undefined ? [] : [`  sampleShare: ${share}`]),
  ];
  const variables = [
    ...(short === undefined ? [] : [`REENACT_COLLECTOR_RETENTION_SHORT=${short}`]),
    ...(sample === undefined ? [] : [`REENACT_COLLECTOR_RETENTION_SAMPLE=${sample}`]),
    ...(share === undefined ? [] : [`REENACT_COLLECTOR_RETENTION_SAMPLE_SHARE=${share}`]),
  ];
  return (
    <div className="settings-apply">
      <p>To set it, write this into the configuration file, or set the variables, and start the collector again:</p>
      <CopyLine what="for the configuration file">{`retention:\n${lines.join("\n")}`}</CopyLine>
      <CopyLine what="for the environment">{variables.join("\n")}</CopyLine>
    </div>
  );
}

function Rules({ settings: { rules, rulesFile, sampleShare } }: { settings: Retention }) {
  return (
    <details className="settings-rules">
      <summary>Which class a run gets</summary>
      <ol>
        {rules.map(({ name, class: kept, when }) => (
          <li key={name}>
            <strong>{name}</strong> → {kept} <code>{when}</code>
          </li>
        ))}
        <li>failed, aborted or flagged → keep</li>
        <li>{number(sampleShare * 100)} % of the others → sample</li>
        <li>the rest → short</li>
      </ol>
      <p className="muted">
        {rulesFile === null ? (
          <>
            The first line that fits decides. Rules of your own stand in a file that <code>retention.rules</code> names.
          </>
        ) : (
          <>
            The first line that fits decides. The rules stand in <code>{rulesFile}</code>.
          </>
        )}
      </p>
    </details>
  );
}

/** A duration as the configuration writes it. */
function span(ms: number): string {
  for (const [unit, size] of [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1000],
  ] as const)
    if (ms >= size) return `${Number((ms / size).toFixed(1))}${unit}`;
  return `${ms}ms`;
}
