import type { Stats } from "node:fs";

/** Where the bytes of an entry are: in the scratch copy, or still in the original tree. */
type Layer = "upper" | "lower";

export interface Entry {
  readonly layer: Layer;
  readonly stats: Stats;
}

/**
 * What a path leads to in the tree that the program sees.
 *
 * `logical` is absolute and free of links, except that its last component may be one when links were not followed.
 * - `present`, `absent`: there is (no) entry; the folder that holds it exists
 * - `lost`: a folder on the way is missing; `astray`: and the path leads up again from there
 * - `blocked`: something on the way is no folder · `loop`: too many links
 * - `foreign`: no part of the copied tree: devices, the kernel's file systems, our own files
 */
export type ResolvedPath =
  | { readonly state: "present"; readonly logical: string; readonly slash: string; readonly entry: Entry }
  | {
      readonly state: "absent" | "lost" | "astray" | "blocked" | "loop";
      readonly logical: string;
      readonly slash: string;
    }
  /** `direct`: neither a link nor `..` led there, so that the path may be used as the program wrote it */
  | { readonly state: "foreign"; readonly logical: string; readonly slash: string; readonly direct: boolean };

export type PresentPath = Extract<ResolvedPath, { state: "present" }>;
