import { type ReactNode, useEffect } from "react";

/** One line of a list from which the field above it chooses. */
export interface Choice {
  readonly id: string;
  /** heading under which it stands; choices of one group stand together */
  readonly group: string;
  readonly label: ReactNode;
  readonly note?: ReactNode;
}

interface ChoicesProps<Each extends Choice> {
  /** of the list, which the field names in `aria-controls` */
  readonly id: string;
  readonly label: string;
  readonly choices: readonly Each[];
  /** place of the one that Enter takes, -1: none */
  readonly active: number;
  readonly choose: (choice: Each) => void;
}

/** Id of a choice in the document, for `aria-activedescendant`. */
export const choiceId = (list: string, at: number): string => `${list}-${at}`;

/** The place after the next or previous choice was taken: behind the last one comes the first. */
export function movedChoice(active: number, by: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (active === -1) return by === 1 ? 0 : count - 1;
  return (active + by + count) % count;
}

/** The list below a combobox. The focus stays in the field. */
export function Choices<Each extends Choice>({ id, label, choices, active, choose }: ChoicesProps<Each>) {
  useEffect(() => {
    document.getElementById(choiceId(id, active))?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  const groups = [...Map.groupBy(choices, ({ group }) => group)];
  return (
    <div role="listbox" id={id} className="choices" aria-label={label}>
      {groups.map(([group, members]) => (
        <div key={group} role="group" aria-label={group}>
          <div className="choices-heading" aria-hidden="true">
            {group}
          </div>
          {members.map((choice) => {
            const place = choices.indexOf(choice);
            return (
              <div
                key={choice.id}
                id={choiceId(id, place)}
                role="option"
                aria-selected={place === active}
                // the field keeps the focus
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(choice)}
              >
                <span className="choice-label">{choice.label}</span>
                {choice.note !== undefined && <span className="choice-note">{choice.note}</span>}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
