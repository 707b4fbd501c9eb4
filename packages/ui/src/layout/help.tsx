import { type KeyboardEvent, useEffect, useRef, useState } from "react";

import { PALETTE_KEY } from "../palette/use-palette-key.ts";
import { hasLetterKeys, setLetterKeys } from "./use-keys.ts";

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["j  k", "next, previous run, step or test"],
  ["Enter", "open the selected one"],
  ["Esc", "back"],
  ["n  p", "next, previous error, failed test or change"],
  ["/", "filter the runs; find in a run"],
  ["[  ]", "fold, unfold all messages of a run"],
  ["y", "copy a link to the selected step"],
  ["x  c", "mark a run, compare the two that are marked"],
  ["d", "compare this run; a test with its failed replay"],
  ["t", "make a test of this run"],
  ["r", "replay this run; on the page of a replay: begin; run the selected test"],
  ["a  s", "of a comparison: show equal steps, swap the runs"],
  [".", "show new runs, or the end of a live run"],
  ["1  2  3  4  5", "transcript, timeline, context, cost, raw"],
  [PALETTE_KEY, "go to a run, a page or an action"],
  ["?", "this help"],
];

/** The keys, as a dialog. */
export function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [hasLetters, setLetters] = useState(hasLetterKeys);
  useEffect(() => dialog.current?.showModal(), []);
  // the browser's own Escape tells of the end only later: a key in between would still find the help open
  const escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || dialog.current?.open !== true) return;
    event.preventDefault();
    dialog.current.close();
    close();
  };
  return (
    <dialog ref={dialog} className="help" aria-labelledby="help-title" onKeyDown={escape} onClose={close}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split("  ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="letter-keys">
        <input
          type="checkbox"
          checked={hasLetters}
          onChange={({ currentTarget }) => {
            setLetterKeys(currentTarget.checked);
            setLetters(currentTarget.checked);
          }}
        />{" "}
        Keys of one character, in this browser
      </label>
      <form method="dialog">
        <button className="button">Close</button>
      </form>
    </dialog>
  );
}
