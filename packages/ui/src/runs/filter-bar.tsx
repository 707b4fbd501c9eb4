import { type FormEvent, type RefObject, useState } from "react";
import type { ApiFailure } from "../api/api-failure.ts";
import { ORDERS, type RunsSearch } from "../search.ts";
import { FilterField } from "./filter-field.tsx";

const ORDER_WORDS: Readonly<Record<(typeof ORDERS)[number], string>> = {
  started: "newest",
  duration: "longest",
  cost: "most expensive",
  tokens: "most tokens",
  errors: "most errors",
};

interface FilterBarProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly filter: string;
  readonly order: (typeof ORDERS)[number];
  readonly problem: ApiFailure | null;
  readonly change: (next: RunsSearch) => void;
}

export function FilterBar({ field, filter, order, problem, change }: FilterBarProps) {
  const [text, setText] = useState(filter);
  // the filter of the address, and the one that was sent from here: what somebody types meanwhile stays
  const [known, setKnown] = useState(filter);
  const [sent, setSent] = useState<string | null>(null);
  if (filter !== known) {
    setKnown(filter);
    if (filter !== sent) setText(filter);
    setSent(null);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = text.trim() === "" ? "" : text;
    setSent(next);
    change({ filter: next || undefined });
  };
  return (
    <form className="filter" role="search" onSubmit={submit}>
      <label htmlFor="filter" className="sr-only">
        Filter
      </label>
      <FilterField field={field} text={text} setText={setText} isWrong={problem !== null} />
      <label htmlFor="order" className="sr-only">
        Order
      </label>
      <select
        id="order"
        value={order}
        onChange={(event) => change({ order: ORDERS.find((each) => each === event.target.value) })}
      >
        {ORDERS.map((each) => (
          <option key={each} value={each}>
            {ORDER_WORDS[each]}
          </option>
        ))}
      </select>
      <button className="button">Filter</button>
      <div id="filter-problem" role="alert">
        {problem && <Problem failure={problem} filter={filter} />}
      </div>
    </form>
  );
}

/** The filter as it was sent, marked where it is wrong. */
function Problem({ failure: { message, at }, filter }: { failure: ApiFailure; filter: string }) {
  const from = Math.min(at ?? 0, filter.length);
  return (
    <div className="filter-problem">
      {at !== null && (
        <code>
          {filter.slice(0, from)}
          <mark>{filter.slice(from, from + 1) || " "}</mark>
          {filter.slice(from + 1)}
        </code>
      )}
      <p className="problem">{message}</p>
      <p className="muted">
        Fields: status, agent, model, tool, error, user, session, tag, flag, class, service, version; duration&gt;10s,
        cost&gt;0.5, tokens&gt;1000, errors&gt;0; or, -, ( ), "free text".
      </p>
    </div>
  );
}
