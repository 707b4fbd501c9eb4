import { dirname, join, normalize, sep } from "node:path";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";
import type { PresentPath, ResolvedPath } from "./resolved-path.ts";
import type { Plan, Prepare, RedirectedPath } from "./plan.ts";
import { pathText } from "./plan.ts";
import { redirect, making, realPath } from "./redirected-path.ts";

const MISSING = new Set<ResolvedPath["state"]>(["absent", "lost", "astray"]);

/** `fs.mkdir`. */
export function makingFolder(overlay: Overlay, text: string, recursive: boolean): RedirectedPath | null {
  const resolved = overlay.locate(text, false);
  if (resolved.state === "present") return overExisting(overlay, resolved, text, recursive);
  if (!recursive && resolved.state === "absent") return making(overlay, resolved);
  if (!recursive || !MISSING.has(resolved.state)) return redirect(overlay, resolved, text);
  const dead = deadLink(overlay, dirname(text));
  if (dead !== null) {
    const gone = overlay.errorFixture("gone");
    return { real: join(gone, "under"), also: [gone, dead] };
  }
  if (resolved.state === "astray") return makingWayUp(overlay, text);
  let top = dirname(resolved.logical);
  while (overlay.look(top) === null) top = dirname(top);
  overlay.claim(top);
  return {
    real: overlay.upperOf(resolved.logical) + resolved.slash,
    after(first) {
      if (typeof first !== "string") return first;
      const made = overlay.shown(join(first));
      overlay.note(made);
      return firstMade(text, resolved.logical.slice(made.length).split(sep).length - 1, first.endsWith(sep));
    },
  };
}

/** The name under which the program gets the first folder that was made: `below` others were made below it. */
function firstMade(text: string, below: number, endsWithSlash: boolean): string {
  let shown = (text.includes("..") ? text : normalize(text)).replace(/[/\\]+$/, "");
  // the path itself comes back as it was given
  if (below === 0 && endsWithSlash) return shown + sep;
  for (let n = below; n > 0; n--) shown = dirname(shown);
  return shown;
}

/** `fs.mkdir` where something is. */
function overExisting(overlay: Overlay, resolved: PresentPath, text: string, recursive: boolean): RedirectedPath {
  const led = resolved.entry.stats.isSymbolicLink() && recursive ? overlay.locate(text, true) : resolved;
  if (led.state !== "present" && led.state !== "foreign")
    return { real: overlay.errorFixture(led.state === "loop" ? "loop" : "gone") };
  const folder = recursive && led.state === "present" && led.entry.stats.isDirectory();
  return { real: overlay.errorFixture(resolved.entry.stats.isDirectory() || folder ? "empty" : "file") };
}

/** `a/../b` without an `a`: Node makes the folder from which the path leads up again, and answers with that one. */
function makingWayUp(overlay: Overlay, text: string): RedirectedPath | null {
  const parts = text.split(sep);
  for (const [at, part] of parts.entries()) {
    const way = parts.slice(0, at).join(sep);
    if (part !== ".." || way === "" || overlay.locate(way, true).state === "present") continue;
    const first = makeNow(makingFolder(overlay, way, true), way);
    const rest = makingFolder(overlay, text, true);
    return { real: text, ...rest, after: () => first };
  }
  return redirect(overlay, overlay.locate(text, false), text);
}

function makeNow(redirected: RedirectedPath | null, text: string): unknown {
  const made = disk.mkdirSync(redirected?.real ?? text, { recursive: true });
  return redirected?.after === undefined ? made : redirected.after(made);
}

/** The last entry on the way that is there, if it is a link to nothing: no folder can be made in its place. */
function deadLink(overlay: Overlay, text: string): string | null {
  const resolved = overlay.locate(text, false);
  if (resolved.state === "present")
    return resolved.entry.stats.isSymbolicLink() && overlay.locate(text, true).state !== "present" ? text : null;
  return dirname(text) === text ? null : deadLink(overlay, dirname(text));
}

/** `fs.mkdtemp` and `fs.mkdtempDisposable`: the path is only the beginning of one. */
export const makingTemporary: Prepare = (overlay, args): Plan | null => {
  const prefix = args[0] === "" ? "" : pathText(args[0]);
  if (prefix === null) return null;
  const cut = Math.max(prefix.lastIndexOf("/"), prefix.lastIndexOf(sep)) + 1;
  const folder = overlay.locate(cut === 0 ? "." : prefix.slice(0, cut), true);
  const isFolder = folder.state === "present" && folder.entry.stats.isDirectory();
  if (folder.state === "foreign" && folder.direct) return null;
  if (isFolder) overlay.claim(folder.logical);
  const real = isFolder
    ? join(overlay.upperOf(folder.logical), sep, prefix.slice(cut))
    : join(realPath(overlay, folder), prefix.slice(cut));
  const start = prefix.slice(cut) === "" && !real.endsWith(sep) ? real + sep : real;
  const shown = (made: string): string => {
    overlay.note(overlay.shown(made));
    return prefix + made.slice(-6);
  };
  return {
    args: args.with(0, start),
    pairs: [[`${start}XXXXXX`, `${prefix}XXXXXX`]],
    after(made) {
      if (typeof made === "string") return shown(made);
      if (Buffer.isBuffer(made)) return Buffer.from(shown(made.toString()));
      const disposable = made as { path: string };
      Object.defineProperty(disposable, "path", {
        ...Object.getOwnPropertyDescriptor(disposable, "path"),
        value: shown(disposable.path),
      });
      return disposable;
    },
  };
};
