import { ApiFailure } from "./api-failure.ts";

/** A run that a page shows without a collector. */
export interface Offline {
  readonly run: string;
  /** what to say of where it comes from */
  readonly source: string;
  readonly steps: number;
  /** steps whose values and context are not there */
  readonly left: number;
  /** The JSON at an address behind `/api/v1`. Rejects with `ApiFailure`. */
  json(address: string): Promise<string>;
  /** The first bytes of a value. Rejects with `ApiFailure`. */
  part(address: string, most: number): Promise<Uint8Array>;
}

/** What stands in a page that `reenact export --html` wrote. */
interface Exported {
  readonly run: string;
  /** ISO 8601 */
  readonly exported: string;
  readonly steps: number;
  readonly left: number;
  /** JSON texts by address behind `/api/v1` */
  readonly answers: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

const element = document.querySelector("#offline");
/** Set by the script of the viewer, which stands before this one: the run of a file, once somebody has opened one. */
const { reenactFile } = globalThis as { reenactFile?: Promise<Offline> };

/** null: the page is a collector's. */
export const offline: Offline | null =
  element !== null ? exported(JSON.parse(element.textContent) as Exported) : ((await reenactFile) ?? null);

/** The run of the page is there from the start, so that all else of it is known before the first address is read. */
function exported({ run, exported: at, steps, left, answers, values }: Exported): Offline {
  const found = (kept: Readonly<Record<string, string>>, address: string): string => {
    if (Object.hasOwn(kept, address)) return kept[address]!;
    throw new ApiFailure(
      "OFFLINE",
      left > 0
        ? `this file holds the values of ${steps - left} of ${steps} steps: the run is too long for all of them`
        : "this file does not hold it",
      { next: "open the run with reenact up, or export its .reenact file" },
    );
  };
  return {
    run,
    source: `exported ${new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" }).format(Date.parse(at))}`,
    steps,
    left,
    json: async (address) => found(answers, address),
    part: async (address) => new TextEncoder().encode(found(values, address)),
  };
}

/** What stands behind `/api/v1` in an address. */
export const behindApi = ({ pathname, search }: URL): string =>
  `${pathname.slice(pathname.lastIndexOf("/api/v1") + "/api/v1".length)}${search}`;
