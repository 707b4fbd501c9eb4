import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { hasTerm, termOf, toggleTerm } from "./filter-term.ts";

/** Fields with their heading and their name in a filter. */
const FIELDS: readonly (readonly [field: string, heading: string, typed: string])[] = [
  ["status", "Status", "status"],
  ["name", "Agent", "agent"],
  ["model", "Model", "model"],
  ["tool", "Tool", "tool"],
  ["errorClass", "Error", "error"],
  ["service", "Service", "service"],
  ["version", "Version", "version"],
  ["user", "User", "user"],
  ["tag", "Tag", "tag"],
  ["class", "Class", "class"],
];
const SHOWN = 6;

interface FacetsProps {
  readonly filter: string;
  readonly change: (filter: string | undefined) => void;
}

/** The most frequent values of fields among the runs that fit; a click adds one to the filter, or takes it out. */
export function Facets({ filter, change }: FacetsProps) {
  const { data } = useQuery({
    queryKey: ["facets", filter],
    queryFn: ({ signal }) =>
      call("getFacets", { query: { filter, fields: FIELDS.map(([field]) => field).join(","), limit: 20 }, signal }),
    placeholderData: keepPreviousData,
  });
  const wide = typeof matchMedia === "undefined" || matchMedia("(min-width: 60rem)").matches;
  const groups = FIELDS.filter(([field]) => (data?.facets[field] ?? []).some(({ value }) => value !== ""));
  return (
    <details className="facets" open={wide}>
      <summary>Narrow down</summary>
      {groups.map(([field, heading, typed]) => (
        <Facet
          key={field}
          heading={heading}
          values={(data?.facets[field] ?? []).filter(({ value }) => value !== "")}
          has={(value) => hasTerm(filter, termOf(typed, value))}
          toggle={(value) => change(toggleTerm(filter, termOf(typed, value)))}
        />
      ))}
    </details>
  );
}

interface FacetProps {
  readonly heading: string;
  readonly values: readonly { readonly value: string; readonly runs: number }[];
  readonly has: (value: string) => boolean;
  readonly toggle: (value: string) => void;
}

function Facet({ heading, values, has, toggle }: FacetProps) {
  const [all, setAll] = useState(false);
  const shown = all ? values : values.slice(0, SHOWN);
  return (
    <section>
      <h2>{heading}</h2>
      <ul>
        {shown.map(({ value, runs }) => (
          <li key={value}>
            <button type="button" aria-pressed={has(value)} onClick={() => toggle(value)} title={value}>
              <span className="facet-value">
                <RecordedText>{value}</RecordedText>
              </span>
              <span className="facet-count">{number(runs)}</span>
            </button>
          </li>
        ))}
      </ul>
      {values.length > SHOWN && (
        <button type="button" className="more" onClick={() => setAll(!all)}>
          {all ? "Fewer" : `${values.length - SHOWN} more`}
        </button>
      )}
    </section>
  );
}
