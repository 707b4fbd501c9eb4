/** Classes of edits, in the order of the table. */
export const CLASSES = [
  "model",
  "parameters",
  "bookkeeping fields",
  "tools offered",
  "system prompt",
  "user message",
  "history",
  "ids",
  "URL",
  "headers",
  "bodies",
  "telemetry-like paths",
  "tool calls",
  "calls added, removed, moved",
  "results not waited for",
  "error handling",
  "retries",
  "other runs of the process",
  "sub-agents",
  "exit",
  "standard output",
  "standard error",
  "files",
  "databases",
  "delays and time-outs",
  "clock and random numbers",
  "human input",
  "configuration",
  "control flow",
  "concurrency",
  "redacted values",
] as const;

export type EditClass = (typeof CLASSES)[number];

/** A text that occurs exactly once in the program, and its replacement. */
export type Change = readonly [find: string, replace: string];

/** What is changed besides the program, and how a replay is started otherwise than the recording was. */
export interface Start {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  readonly flags?: readonly string[];
  /** which of the recorded runs of the process is replayed, default 0 */
  readonly run?: number;
  /** a file beside the program that is changed instead of the program */
  readonly file?: string;
  /** a package in another release than the one of this checkout */
  readonly release?: { readonly name: string; readonly version: string };
  /** folder to start in, below the one of the program */
  readonly cwd?: string;
}

export interface Case extends Start {
  readonly name: string;
  readonly changes: readonly Change[];
}

/** Behaves otherwise: a replay has to find it. */
export interface Edit extends Case {
  readonly class: EditClass;
  /** step that the report has to name; null: the run as a whole. Several where they are equally right. */
  readonly step: readonly (number | null)[];
  /** verdicts that are right for it */
  readonly verdict: readonly string[];
}

/** Behaves the same: a replay has to be identical. */
export interface Control extends Case {
  readonly class: null;
}

type Step = number | null | readonly (number | null)[];
type Verdict = string | readonly string[];

/** A call that the record lacks is extra, or one more of its kind than was recorded. */
const alike = (verdicts: readonly string[]): readonly string[] =>
  verdicts.includes("extra") ? [...verdicts, "exhausted"] : verdicts;

const listed = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

/** Gives edits of one class: each has a name, the step and the verdict that are right, and its changes. */
export function edits(
  of: EditClass,
  ...rows: readonly (readonly [name: string, step: Step, verdict: Verdict, ...changes: (Change | Start)[]])[]
): Edit[] {
  return rows.map(([name, step, verdict, ...rest]) => ({
    class: of,
    name,
    step: listed<number | null>(step),
    verdict: alike(listed(verdict)),
    changes: rest.filter((part): part is Change => Array.isArray(part)),
    ...Object.assign({}, ...rest.filter((part) => !Array.isArray(part))),
  }));
}

/** Gives controls: each has a name and its changes. */
export function controls(...rows: readonly (readonly [name: string, ...changes: (Change | Start)[]])[]): Control[] {
  return rows.map(([name, ...rest]) => ({
    class: null,
    name,
    changes: rest.filter((part): part is Change => Array.isArray(part)),
    ...Object.assign({}, ...rest.filter((part) => !Array.isArray(part))),
  }));
}

export const after = (place: string, text: string): Change => [place, place + text];
export const before = (place: string, text: string): Change => [place, text + place];
export const cut = (text: string): Change => [text, ""];

/** A field is added to a request: one edit for each field, at the places in turn. */
export function added(
  of: EditClass,
  verdict: Verdict,
  fields: readonly string[],
  places: readonly (readonly [step: number, insert: (field: string) => Change])[],
): Edit[] {
  return fields.flatMap((field, index) => {
    const place = places[index % places.length];
    if (place === undefined) return [];
    const [step, insert] = place;
    return edits(of, [`adds ${field} to step ${step}`, step, verdict, insert(field)]);
  });
}

/** A program, what is changed in it, and how it is started. */
export interface Suite {
  /** file in its folder, with its ending */
  readonly program: string;
  /** default: `programs` */
  readonly folder?: string;
  /** default: the program without its ending */
  readonly name?: string;
  /** makes what the program needs, in the folder that it is given */
  readonly prepare?: (folder: string) => void;
  /** further files that lie beside it, by name */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** text for its standard input */
  readonly input?: string;
  readonly edits: readonly Edit[];
  readonly controls: readonly Control[];
}

export const nameOf = ({ name, program }: Suite): string => name ?? program.replace(/\..*/, "");

/** The text with the changes in it. Throws where one does not fit: the program has changed since. */
export function changed(text: string, changes: readonly Change[], where: string): string {
  return changes.reduce((now, [find, replace]) => {
    const parts = now.split(find);
    if (parts.length !== 2)
      throw new Error(`${where} holds ${JSON.stringify(find)} ${parts.length - 1} times instead of once`);
    return parts.join(replace);
  }, text);
}
