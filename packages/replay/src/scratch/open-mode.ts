import { constants } from "node:fs";
import type { Overlay } from "./overlay.ts";
import { isSystemError, type RedirectedPath } from "./plan.ts";
import { changing, reading } from "./redirected-path.ts";

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
// not on every platform
const { O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

/** The path of a call that opens a file, by its flags as `fs.open` takes them. */
export function opening(overlay: Overlay, text: string, flags: unknown, usual: string): RedirectedPath | null {
  const given = flags ?? usual;
  if (typeof given === "number") {
    const create = (given & O_CREAT) !== 0;
    const exclusive = create && (given & O_EXCL) !== 0;
    const follow = !exclusive && (given & O_NOFOLLOW) === 0;
    const writes =
      (given & (O_RDONLY | O_WRONLY | O_RDWR)) !== O_RDONLY || create || (given & (O_TRUNC | O_APPEND)) !== 0;
    return writes
      ? changing(overlay, text, { follow, create, exclusive, content: true })
      : tolerant(overlay, text, follow);
  }
  const mode = typeof given === "string" ? given : usual;
  if (mode === "r" || mode === "rs" || mode === "sr") return tolerant(overlay, text, true);
  const exclusive = mode.includes("x");
  return changing(overlay, text, { follow: !exclusive, create: !mode.includes("r"), exclusive, content: true });
}

/** What cannot be looked up is asked of the original, whose error it is. */
function tolerant(overlay: Overlay, text: string, follow: boolean): RedirectedPath | null {
  try {
    return reading(overlay, text, follow);
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}
