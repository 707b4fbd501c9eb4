import { fileURLToPath } from "node:url";
import type { Overlay } from "./overlay.ts";

/** How a function answers: by return value, by its last argument, by a promise. */
export type Form = "sync" | "callback" | "promise";

/** One call as it will be made in the scratch copy. */
export interface Plan {
  args: unknown[];
  /** paths in `args`, and how the program wrote them; where there are two, the destination is first */
  pairs: [real: string, shown: string][];
  /** turns what the call gave into what the program expects */
  after?(value: unknown): unknown;
  /** takes back what was prepared, when the call fails */
  failed?(): void;
}

/** Null: the call is none of ours and is made as it is. What it throws, the call fails with. */
export type Prepare = (overlay: Overlay, args: unknown[], form: Form) => Plan | null;

/** Where a path of a call really leads; null: where it is written. */
export interface RedirectedPath {
  real: string;
  /** another path that an error can name */
  also?: [real: string, shown: string];
  after?(value: unknown): unknown;
  failed?(): void;
}

/** A call with one path, its first argument. */
export function onFirst(
  find: (overlay: Overlay, text: string, args: unknown[], form: Form) => RedirectedPath | null,
): Prepare {
  return (overlay, args, form) => {
    const text = pathText(args[0]);
    const redirected = text === null ? null : find(overlay, text, args, form);
    if (text === null || redirected === null) return null;
    const { real, also, ...rest } = redirected;
    return { args: args.with(0, real), pairs: [...(also ? [also] : []), [real, text]], ...rest };
  };
}

/** As `onFirst`, for a call that only reads: what cannot be looked up is asked of the original. */
export function onRead(find: Parameters<typeof onFirst>[0]): Prepare {
  const prepare = onFirst(find);
  return (overlay, args, form) => {
    if (overlay.pristine) return null;
    try {
      return prepare(overlay, args, form);
    } catch (error) {
      if (isSystemError(error)) return null;
      throw error;
    }
  };
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error;
}

/** A call from one path, its first argument, to another, its second. */
export function onPair(
  find: (
    overlay: Overlay,
    from: string,
    to: string,
    args: unknown[],
  ) => { from: RedirectedPath | null; to: RedirectedPath | null },
): Prepare {
  return (overlay, args) => {
    const from = pathText(args[0]);
    const to = pathText(args[1]);
    if (from === null || to === null) return null;
    const redirected = find(overlay, from, to, args);
    if (redirected.from === null && redirected.to === null) return null;
    const real = [redirected.from?.real ?? from, redirected.to?.real ?? to] as const;
    return {
      args: [...real, ...args.slice(2)],
      pairs: [
        [real[1], to],
        [real[0], from],
      ],
      failed() {
        redirected.from?.failed?.();
        redirected.to?.failed?.();
      },
    };
  };
}

/** The text of a path argument; null: a descriptor, or nothing that Node takes as a path. */
export function pathText(given: unknown): string | null {
  if (typeof given === "string") return given === "" || given.includes("\0") ? null : given;
  if (given instanceof Uint8Array) {
    const bytes = Buffer.from(given);
    const text = bytes.toString();
    if (!bytes.equals(Buffer.from(text)))
      throw Object.assign(new Error("EILSEQ: a path that is not UTF-8 has no scratch copy"), { code: "EILSEQ" });
    return pathText(text);
  }
  if (typeof given !== "object" || given === null || !("href" in given) || !("protocol" in given)) return null;
  try {
    return fileURLToPath(String(given.href));
  } catch {
    return null;
  }
}
