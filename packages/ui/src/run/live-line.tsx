import { useEffect, useRef, useState } from "react";
import { useKeys } from "../layout/use-keys.ts";
import { number } from "../text/format.ts";
import { useEnd } from "./use-end.ts";
import type { LiveState } from "./use-live-run.ts";
import type { LoadedRun } from "./use-run-view.ts";

interface LiveLineProps {
  readonly view: LoadedRun;
  readonly live: LiveState;
}

/** What came is said once it has been quiet for so long, milliseconds: a reader of a screen hears whole sentences. */
const QUIET = 1000;

/** Of an open run: steps that came below the screen, and for readers of screens what has changed. */
export function LiveLine({ view, live }: LiveLineProps) {
  const { unseen, toEnd } = useEnd(view.total);
  useKeys({ ".": { does: "Go to the last step", act: toEnd } });
  return (
    <>
      <p className="sr-only" role="status">
        {useNews(view)}
      </p>
      {live === "cut" && (
        <p className="cut" role="alert">
          The collector does not answer. What is shown is what came before; it is tried again.
        </p>
      )}
      {unseen > 0 && (
        <button type="button" className="button fresh unseen" onClick={toEnd}>
          {number(unseen)} new {unseen === 1 ? "step" : "steps"} below, press <kbd>.</kbd>
        </button>
      )}
    </>
  );
}

/** A sentence about the steps that came since the last one, and about the end. */
function useNews({ run, total, failed }: LoadedRun): string {
  const [news, setNews] = useState("");
  const told = useRef({ total, failed: failed.length, state: run.state });
  useEffect(() => {
    const timer = setTimeout(() => {
      const before = told.current;
      told.current = { total, failed: failed.length, state: run.state };
      const [more, wrong] = [total - before.total, failed.length - before.failed];
      const words = [
        more > 0 ? `${number(more)} new ${more === 1 ? "step" : "steps"}, ${number(total)} in all.` : "",
        wrong > 0 ? `${number(wrong)} failed.` : "",
        before.state === "open" && run.state !== "open" ? `The run has ended: ${run.status}.` : "",
      ].filter((each) => each !== "");
      if (words.length > 0) setNews(words.join(" "));
    }, QUIET);
    return () => clearTimeout(timer);
  }, [total, failed.length, run.state, run.status]);
  return news;
}
