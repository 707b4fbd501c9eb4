import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Answer } from "../api/call.ts";
import { age, moment, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";

export type ErrorGroup = Answer<"listErrors">["errors"][number];

/** Names of agents or versions that are shown. */
const MOST_NAMES = 3;

/** The filter of the list of runs that fits the runs of a group, beside another one. */
export const filterOf = ({ fingerprint }: ErrorGroup, filter: string): string =>
  `fingerprint:${fingerprint} ${withoutReplays(filter)}`;

/** A replay of a run that failed has only done again what was recorded. */
export const withoutReplays = (filter: string): string => (filter === "" ? "-replay-of:*" : `-replay-of:* (${filter})`);

interface ErrorRowProps {
  readonly group: ErrorGroup;
  /** of the page */
  readonly filter: string;
  readonly isSelected: boolean;
}

/** One way in which runs have failed; it opens as a filter of the list of runs. */
export function ErrorRow({ group, filter, isSelected }: ErrorRowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isSelected) return;
    row.current?.scrollIntoView({ block: "nearest" });
    row.current?.querySelector("a")?.focus({ preventScroll: true });
  }, [isSelected]);
  const { class: kind, message, runs, first, last, agents, versions, isNew, newest } = group;
  return (
    <li ref={row} className={isSelected ? "error-group selected" : "error-group"}>
      <p className="error-group-runs">
        <strong>{number(runs)}</strong> {runs === 1 ? "run" : "runs"}
      </p>
      <div className="error-group-what">
        <h2>
          <Link to="/" search={{ filter: filterOf(group, filter) }}>
            {kind !== "" && <span className="error-class">{`${kind}: `}</span>}
            <RecordedText>{message === "" ? "no message" : message}</RecordedText>
          </Link>
          {isNew === true && <span className="badge new">new</span>}
        </h2>
        <dl className="error-facts">
          <Names name={agents.length === 1 ? "Agent" : "Agents"} values={agents} />
          <Names name={versions.length === 1 ? "Version" : "Versions"} values={versions} />
          <div>
            <dt>First</dt>
            <dd>
              <Time at={first} />
            </dd>
          </div>
          <div>
            <dt>Last</dt>
            <dd>
              <Link to="/r/$run" params={{ run: newest }}>
                <Time at={last} />
                <span className="sr-only">: open the newest run</span>
              </Link>
            </dd>
          </div>
        </dl>
      </div>
    </li>
  );
}

function Names({ name, values }: { name: string; values: ErrorGroup["agents"] }) {
  if (values.length === 0) return null;
  const more = values.length - MOST_NAMES;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {values.slice(0, MOST_NAMES).map(({ value, runs }, at) => (
          <span key={value} title={`${number(runs)} ${runs === 1 ? "run" : "runs"}`}>
            {at > 0 && ", "}
            <RecordedText>{value}</RecordedText>
          </span>
        ))}
        {more > 0 && ` and ${more} more`}
      </dd>
    </div>
  );
}

function Time({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at)}>
      {age(at, Date.now())} ago
    </time>
  );
}
