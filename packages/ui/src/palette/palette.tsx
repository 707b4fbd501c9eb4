import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Run } from "../api/call.ts";
import { offline } from "../api/offline.ts";
import { type Choice, choiceId, Choices, movedChoice } from "../layout/choices.tsx";
import { PAGES } from "../layout/pages.ts";
import { useNamedKeys } from "../layout/use-keys.ts";
import { runName } from "../run/run-name.ts";
import { Status } from "../run/status.tsx";
import { age } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { useFoundRuns } from "./use-found-runs.ts";

interface PaletteChoice extends Choice {
  readonly act: () => void;
}
const LIST = "palette-choices";

/** A field that goes to a run by its id or name, to a page, or does what a key of this page does. */
export function Palette({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  // Enter was pressed before the runs were found: the first one is opened when it comes
  const [isAwaited, setAwaited] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);

  const { runs, error, isSearching } = useFoundRuns(text);
  const choices = [...useFixedChoices(text), ...useRunChoices(runs)];
  const choose = (choice: PaletteChoice | undefined) => {
    if (!choice) return;
    // gives the focus back, which the action may move
    dialog.current?.close();
    choice.act();
  };
  const first = choices[0];
  useEffect(() => {
    if (!isAwaited || isSearching) return;
    setAwaited(false);
    choose(first);
  });

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined;
    if (by !== undefined) setActive(Math.max(0, movedChoice(active, by, choices.length)));
    else if (event.key === "Enter" && choices.length === 0) setAwaited(isSearching);
    else if (event.key === "Enter") choose(choices[active]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Go to"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
    >
      <input
        role="combobox"
        aria-label="Run, page or action"
        aria-expanded={choices.length > 0}
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={choices[active] ? choiceId(LIST, active) : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
          setAwaited(false);
        }}
        onKeyDown={press}
        placeholder={offline === null ? "Run, page or action" : "Action"}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
      />
      <Choices id={LIST} label="Where to go" choices={choices} active={active} choose={choose} />
      <p className="palette-state muted" role="status">
        {error?.message ?? (isSearching ? "Looking for runs …" : choices.length === 0 ? "Nothing fits." : "")}
      </p>
    </dialog>
  );
}

/** What is known without a question: the actions of the page below, and the pages. */
function useFixedChoices(text: string): readonly PaletteChoice[] {
  const navigate = useNavigate();
  const actions = useNamedKeys();
  const words = text.trim().toLowerCase().split(/\s+/);
  const fits = (name: string) => words.every((word) => name.toLowerCase().includes(word));
  const pages = offline === null ? PAGES : [];
  return [
    ...actions
      .filter(({ does }) => fits(does))
      .map(({ key, does, act }) => ({
        id: `key ${key}`,
        group: "This page",
        label: does,
        note: <kbd>{key}</kbd>,
        act,
      })),
    ...pages
      .filter(([, name]) => fits(name))
      .map(([to, name]) => ({ id: to, group: "Pages", label: name, act: () => void navigate({ to }) })),
  ];
}

function useRunChoices(runs: readonly Run[]): readonly PaletteChoice[] {
  const navigate = useNavigate();
  const [now] = useState(Date.now);
  return runs.map((run) => ({
    id: run.run,
    group: "Runs",
    label: (
      <>
        <RecordedText>{runName(run)}</RecordedText> <code className="id">{run.run.slice(0, 6)}</code>
      </>
    ),
    note: (
      <>
        <Status status={run.state === "open" ? "open" : run.status} /> {age(run.started, now)}
      </>
    ),
    act: () => void navigate({ to: "/r/$run", params: { run: run.run } }),
  }));
}
