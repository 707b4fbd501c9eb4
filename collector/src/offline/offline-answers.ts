import type { Envelope } from "@reenact/envelope/file";
import { runAnswers } from "./run-answers.ts";

/** What a page gets without a collector: the answers of the API to what it asks, and values of steps, by address behind `/api/v1`. */
export interface OfflineAnswers {
  readonly run: string;
  /** JSON texts */
  readonly answers: ReadonlyMap<string, string>;
  /** the first characters of values that are texts */
  readonly values: ReadonlyMap<string, string>;
  readonly steps: number;
  /** steps whose values and context had no room */
  readonly left: number;
}

/** No text of a run may end the element that holds it: JSON needs none of these characters. */
export const inMarkup = (json: string): string =>
  json.replaceAll(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Bytes of a text in the page: what JSON and markup write otherwise takes up to six times as many. */
const sizeOf = (text: string): number => Buffer.byteLength(inMarkup(JSON.stringify(text)));

/** The list of steps alone is longer than what was allowed. */
export class OfflineTooLarge extends Error {
  override readonly name = "OfflineTooLarge";
}

/** As the page asks: its first page of steps, and the later ones. */
const PAGES = [500, 2000] as const;
/** Bytes of a value that the page shows. */
const SHOWN = 64 * 1024;

/**
 * All that the page of a run asks for, up to `most` bytes: first the steps, then their values and contexts, step by step. Throws
 * `OfflineTooLarge` where the steps alone are more.
 */
export async function offlineAnswers(envelope: Envelope, most: number): Promise<OfflineAnswers> {
  const { header, manifest } = envelope;
  const ask = asking(envelope);
  const answers = new Map<string, string>();
  const values = new Map<string, string>();
  const { run } = header;
  let room = most;
  const steps: { readonly id: string }[] = [];
  for (let after: number | null = 0; after !== null;) {
    const path = `/runs/${run}/view?after=${after}&limit=${after === 0 ? PAGES[0] : PAGES[1]}`;
    // oxlint-disable-next-line no-await-in-loop -- a page names the next one
    const text: string = await ask(path);
    if ((room -= sizeOf(text)) < 0)
      throw new OfflineTooLarge(
        `run ${run} has ${manifest.spans.length} spans: their list alone is more than ${most} bytes`,
      );
    answers.set(path, text);
    const page = JSON.parse(text) as { steps: { id: string }[]; next: number | null };
    steps.push(...page.steps);
    after = page.next;
  }
  let left = steps.length;
  for (const { id } of steps) {
    // oxlint-disable-next-line no-await-in-loop -- what there is room for is known one after another
    const found = await stepAnswers(ask, run, id);
    room -= [...found.answers, ...found.values].reduce((sum, [, text]) => sum + sizeOf(text), 0);
    if (room < 0) break;
    for (const [path, text] of found.answers) answers.set(path, text);
    for (const [path, text] of found.values) values.set(path, text);
    left--;
  }
  return { run, answers, values, steps: steps.length, left };
}

type Ask = (path: string) => Promise<string>;

/** The JSON and texts of the reading routes over one run. */
function asking(envelope: Envelope): Ask {
  const answers = runAnswers(envelope);
  return async (path) => {
    const response = await answers(path);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.text();
  };
}

interface StepAnswers {
  readonly answers: readonly (readonly [path: string, text: string])[];
  readonly values: readonly (readonly [path: string, text: string])[];
}

async function stepAnswers(ask: Ask, run: string, step: string): Promise<StepAnswers> {
  const at = `/runs/${run}/steps/${step}`;
  const paths = [at, `/runs/${run}/view/${step}`, `/runs/${run}/context/${step}`];
  const [detail = "", ...others] = await Promise.all(paths.map(ask));
  const { parts } = (JSON.parse(detail) as { step: { parts: { digest: string; type: string }[] } }).step;
  const texts = parts.filter(({ type }) => /^(text\/|application\/json)/.test(type));
  const values = await Promise.all(
    texts.map(async ({ digest }) => {
      const path = `${at}/parts/${digest}`;
      return [path, (await ask(path)).slice(0, SHOWN)] as const;
    }),
  );
  return { answers: [[at, detail], ...others.map((text, n) => [paths[n + 1]!, text] as const)], values };
}
