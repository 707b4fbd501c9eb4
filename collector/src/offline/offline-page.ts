import type { Envelope } from "@reenact/envelope/file";
import { UI_FOLDER } from "../ui-folder.ts";
import { htmlFile } from "./html-file.ts";
import { inMarkup, offlineAnswers } from "./offline-answers.ts";

/** JSON of a run that a page holds, bytes. With it a browser opens the file at once. */
const MOST = 24 * 1024 * 1024;

export interface OfflinePage {
  readonly html: string;
  readonly steps: number;
  /** steps whose values and context are not in it, since the run is too long */
  readonly left: number;
}

/**
 * The page of one run as one file that needs no network: script, style and data are in it, and its content security policy allows
 * nothing else. `most`: bytes of data. Throws `OfflineTooLarge`.
 */
export async function offlinePage(
  envelope: Envelope,
  { most = MOST, folder = UI_FOLDER, now = new Date() }: { most?: number; folder?: string; now?: Date } = {},
): Promise<OfflinePage> {
  const { run, answers, values, steps, left } = await offlineAnswers(envelope, most);
  const data = { v: 1, run, exported: now.toISOString(), steps, left };
  const json = JSON.stringify({ ...data, answers: Object.fromEntries(answers), values: Object.fromEntries(values) });
  const html = htmlFile(folder, {
    data: `<script type="application/json" id="offline">${inMarkup(json)}</script>\n`,
    noscript: "This file shows a recorded run. It needs JavaScript, and no network.",
  });
  return { html, steps, left };
}
