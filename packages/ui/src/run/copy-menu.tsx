import { useRef } from "react";
import { call, partBegin, type ViewStep } from "../api/call.ts";
import { offline } from "../api/offline.ts";
import { placeNow } from "../api/use-place.ts";
import type { useCopied } from "./copied-link.tsx";
import { curlOf, markdownOf } from "./copy-forms.ts";
import { isReplayable } from "./run-head.tsx";
import type { LoadedRun } from "./use-run-view.ts";

/** Bytes of a request that a line for a shell may have. */
const MOST_BODY = 256 * 1024;

interface CopyMenuProps {
  readonly view: LoadedRun;
  /** the selected one; null: the whole run is meant */
  readonly step: ViewStep | null;
  readonly copied: ReturnType<typeof useCopied>;
}

/** Copies the run, or the selected step, in the form that is wanted elsewhere. */
export function CopyMenu({ view: { run, steps }, step, copied: { copy, say } }: CopyMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const detailOf = async (id: string) => (await call("getStep", { path: { run: run.run, step: id } })).step;

  async function curl(of: ViewStep): Promise<string | null> {
    const { exchange, parts } = await detailOf(of.id);
    if (exchange === null) return null;
    const body = parts.find(({ name }) => name === "request");
    if (body === undefined) return curlOf(exchange, "");
    if (body.bytes > MOST_BODY) throw new Error("The request is too long for a line: it stands on the tab Raw");
    const path = { run: run.run, step: of.id, digest: body.digest };
    const bytes = await partBegin(path, MOST_BODY, new AbortController().signal);
    return curlOf(exchange, new TextDecoder().decode(bytes));
  }

  async function replayLine(): Promise<string> {
    const [place, { command }] = await Promise.all([placeNow(), call("getWorkbench")]);
    return `npx reenact replay ${run.run.slice(0, 12)}${place} -- ${command ?? "node agent.js"}`;
  }

  const forms: readonly (readonly [what: string, text: () => Promise<string | null>])[] = [
    ...(offline === null ? ([["Link", () => Promise.resolve(location.href)]] as const) : []),
    ["Markdown", () => Promise.resolve(markdownOf(run, step === null ? steps : [step], location.href))],
    ["JSON", async () => JSON.stringify(step === null ? { run, steps } : await detailOf(step.id), null, 2)],
    ...(step === null ? [] : ([["curl", () => curl(step)]] as const)),
    ...(offline === null && isReplayable(run) ? ([["Replay command", replayLine]] as const) : []),
  ];
  const choose = async (what: string, text: () => Promise<string | null>) => {
    if (menu.current) menu.current.open = false;
    try {
      const found = await text();
      if (found === null) say("This step made no request of its own");
      else await copy(what, found);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <details ref={menu} className="copy-menu">
      <summary className="button quiet">Copy as …</summary>
      <ul aria-label={step === null ? "Copy this run" : `Copy step ${step.step}`}>
        {forms.map(([what, text]) => (
          <li key={what}>
            <button type="button" className="button quiet" onClick={() => void choose(what, text)}>
              {what}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
