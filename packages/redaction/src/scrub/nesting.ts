/** How a leaf came to be read: what it was taken out of, and where it stands. */
export interface Nesting {
  /** JSON texts inside strings on the way to it */
  readonly depth: number;
  /** it was base64 */
  readonly encoded: boolean;
  /** what is found in it is remembered by its source */
  readonly kept?: boolean;
  /** `messages/0/content`; null: the policy names no paths, so none is computed */
  readonly path: string | null;
}

export const TOP: Nesting = { depth: 0, encoded: false, path: null };
/** The top of a body, where the policy names paths. */
export const ROOT: Nesting = { depth: 0, encoded: false, path: "" };

/** The nesting of what stands under `name` in a text at `nest`. */
export function below(nest: Nesting, name: string): Nesting {
  return nest.path === null || name === "" ? nest : { ...nest, path: joined(nest.path, name) };
}

export function joined(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}
