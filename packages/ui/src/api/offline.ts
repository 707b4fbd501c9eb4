import { ApiFailure } from "./api-failure.ts";

/** A run that stands in the page itself, which has no collector. */
export interface Offline {
  readonly run: string;
  /** ISO 8601 */
  readonly exported: string;
  readonly steps: number;
  /** steps whose values and context are not in it */
  readonly left: number;
  /** JSON texts by address behind `/api/v1` */
  readonly answers: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

const element = document.querySelector("#offline");
/** null: the page is a collector's. */
export const offline: Offline | null = element === null ? null : (JSON.parse(element.textContent) as Offline);

/** The answer that stands in the page. Throws `ApiFailure` for one that does not. */
export function offlineAnswer({ pathname, search }: URL): string {
  const address = `${pathname.slice(pathname.lastIndexOf("/api/v1") + "/api/v1".length)}${search}`;
  const { answers, values, left, steps } = offline!;
  for (const found of [answers, values]) if (Object.hasOwn(found, address)) return found[address]!;
  throw new ApiFailure(
    "OFFLINE",
    left > 0
      ? `this file holds the values of ${steps - left} of ${steps} steps: the run is too long for all of them`
      : "this file does not hold it",
    { next: "open the run with reenact up, or export its .reenact file" },
  );
}
