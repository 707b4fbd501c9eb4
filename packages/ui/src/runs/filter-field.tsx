import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { call } from "../api/call.ts";
import { type Choice, choiceId, Choices, movedChoice } from "../layout/choices.tsx";
import { RecordedText } from "../text/recorded-text.tsx";
import { type Completion, completionsOf, type Unfinished, unfinishedAt } from "./filter-completion.ts";

interface FilterFieldProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isWrong: boolean;
}
type Offered = Choice & Completion;
const LIST = "filter-choices";
/** Values of a field that are read. */
const READ = 100;
const SHOWN = 30;

/**
 * The field of a filter expression. It offers the fields, operators or values that can follow the text before the cursor. None is chosen until
 * an arrow does: Enter then sends the expression. Tab takes the first one of a word that has begun.
 */
export function FilterField({ field, text, setText, isWrong }: FilterFieldProps) {
  const [place, setPlace] = useState(0);
  const [opened, setOpened] = useState<"typed" | "asked" | null>(null);
  const [active, setActive] = useState(-1);
  const cursor = useRef<number | null>(null);
  // a field whose value a script sets has the cursor at its end
  useLayoutEffect(() => {
    if (cursor.current !== null) field.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  }, [text, field]);

  const unfinished = opened === null ? null : unfinishedAt(text, place);
  const offered = useOffered(unfinished, opened === "asked");
  const close = () => {
    setOpened(null);
    setActive(-1);
  };
  const take = (choice: Offered | undefined) => {
    if (!choice || unfinished === null) return;
    const end = unfinished.from + choice.insert.length;
    cursor.current = end;
    setText(text.slice(0, unfinished.from) + choice.insert + text.slice(place));
    setPlace(end);
    setActive(-1);
    if (choice.isWhole) setOpened(null);
  };
  const hasList = offered.length > 0;
  const chosenBy = ({ key, shiftKey }: KeyboardEvent): Offered | undefined => {
    if (key === "Enter") return offered[active];
    const isTaken = key === "Tab" && !shiftKey && (active >= 0 || unfinished?.text !== "");
    return isTaken ? offered[Math.max(0, active)] : undefined;
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    const choice = chosenBy(event);
    if (choice) take(choice);
    else if (key === "Escape" && !hasList) event.currentTarget.blur();
    else if (key === "Escape") close();
    else if (key === "ArrowDown" && !hasList) setOpened("asked");
    else if (hasList && /^Arrow(?:Down|Up)$/.test(key))
      setActive(movedChoice(active, key === "ArrowDown" ? 1 : -1, offered.length));
    else {
      if (key === "Enter") close();
      return;
    }
    event.preventDefault();
  };
  return (
    <div className="filter-field">
      <input
        id="filter"
        ref={field}
        role="combobox"
        aria-expanded={hasList}
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={offered[active] ? choiceId(LIST, active) : undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setPlace(target.selectionStart ?? target.value.length);
          setActive(-1);
          setOpened("typed");
        }}
        onSelect={({ currentTarget }) => setPlace(currentTarget.selectionStart ?? 0)}
        onBlur={close}
        onKeyDown={press}
        placeholder='status:failed tool:search duration>10s "words"'
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        aria-invalid={isWrong}
        aria-describedby="filter-problem"
      />
      {offered.length > 0 && <Choices id={LIST} label="Completions" choices={offered} active={active} choose={take} />}
    </div>
  );
}

/** `isAsked`: all fields are offered where no word has begun, too. */
function useOffered(unfinished: Unfinished | null, isAsked: boolean): readonly Offered[] {
  const counted = unfinished?.is === "value" ? unfinished.counted : null;
  const { data } = useQuery({
    queryKey: ["values", counted],
    queryFn: ({ signal }) => call("getFacets", { query: { fields: counted ?? "", limit: READ }, signal }),
    enabled: counted !== null,
    staleTime: 30_000,
  });
  if (unfinished === null || (unfinished.is === "field" && unfinished.text === "" && !isAsked)) return [];
  const group = unfinished.is === "field" ? "Fields" : `Values of ${unfinished.field}`;
  const values = counted === null ? [] : (data?.facets[counted] ?? []);
  return completionsOf(unfinished, values)
    .slice(0, SHOWN)
    .map((completion) => ({
      ...completion,
      id: completion.insert,
      group,
      label: (
        <code>
          <RecordedText>{completion.insert}</RecordedText>
        </code>
      ),
    }));
}
