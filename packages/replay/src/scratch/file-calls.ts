import { resolve } from "node:path";
import { makingFolder, makingTemporary } from "./creation.ts";
import { copyingTree } from "./copy-tree.ts";
import { openingFolder, readingFolder } from "./listing.ts";
import { opening } from "./open-mode.ts";
import type { Overlay } from "./overlay.ts";
import { onFirst, onPair, onRead, type Prepare, type RedirectedPath } from "./plan.ts";
import { copying, linking, linkingByName, renaming } from "./relocation.ts";
import { removing, removingFolder, unlinking } from "./removal.ts";
import { changing, reading, lookup } from "./redirected-path.ts";

const read = onRead((overlay, text) => reading(overlay, text, true));
const readEntry = onRead((overlay, text) => reading(overlay, text, false));
const attributes = (follow: boolean): Prepare =>
  onFirst((overlay, text) => changing(overlay, text, { follow, create: false, exclusive: false, content: false }));
const attributesOf = attributes(true);
const attributesOfEntry = attributes(false);

/** An option of a call whose options may also be given in short, as an encoding or a mode. */
function option(given: unknown, name: string): unknown {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>)[name] : undefined;
}

/** What each function of `node:fs` does to its paths; each stands for its callback, `Sync` and promise forms. */
export const FILE_CALLS: Record<string, Prepare> = {
  access: read,
  exists: read,
  lstat: readEntry,
  openAsBlob: read,
  opendir: onRead(openingFolder),
  readdir: onRead(readingFolder),
  readlink: readEntry,
  realpath: onRead((overlay, text, _args, form) => canonical(overlay, form === "promise" ? text : resolve(text))),
  stat: read,
  statfs: read,

  appendFile: onFirst((overlay, text, args) => opening(overlay, text, option(args[2], "flag"), "a")),
  open: onFirst((overlay, text, args) => opening(overlay, text, typeof args[1] === "function" ? null : args[1], "r")),
  readFile: onFirst((overlay, text, args) => opening(overlay, text, option(args[1], "flag"), "r")),
  truncate: onFirst((overlay, text) => opening(overlay, text, "r+", "r+")),
  writeFile: onFirst((overlay, text, args) => opening(overlay, text, option(args[2], "flag"), "w")),

  chmod: onFirst((overlay, text) => {
    const resolved = overlay.locate(text, true);
    if (resolved.state === "present") overlay.setsMode(resolved.logical);
    return changing(overlay, text, { follow: true, create: false, exclusive: false, content: false });
  }),
  chown: attributesOf,
  lchmod: attributesOfEntry,
  lchown: attributesOfEntry,
  lutimes: attributesOfEntry,
  utimes: attributesOf,

  mkdir: onFirst((overlay, text, args) => makingFolder(overlay, text, option(args[1], "recursive") === true)),
  mkdtemp: makingTemporary,
  mkdtempDisposable: makingTemporary,
  rm: onFirst((overlay, text, args) => removing(overlay, text, option(args[1], "recursive") === true)),
  rmdir: onFirst((overlay, text, args) =>
    option(args[1], "recursive") === true ? removing(overlay, text, true) : removingFolder(overlay, text),
  ),
  unlink: onFirst(unlinking),

  copyFile: onPair((overlay, from, to, args) => copying(overlay, from, to, args[2])),
  cp: copyingTree,
  link: onPair(linking),
  rename: onPair(renaming),
  symlink: (overlay, args, form) => {
    const [target, path, ...rest] = args;
    const plan = onFirst(linkingByName)(overlay, [path, target, ...rest], form);
    return plan === null ? null : { ...plan, args: [target, plan.args[0], ...rest] };
  },
};

/** `fs.realpath.native`, which unlike `fs.realpath` follows a link before it takes the `..` behind it. */
export const NATIVE_REALPATH: Prepare = onRead(canonical);

function canonical(overlay: Overlay, text: string): RedirectedPath | null {
  const resolved = overlay.locate(text, true);
  const redirected = lookup(overlay, resolved, text);
  if (redirected === null || resolved.state !== "present") return redirected;
  return {
    ...redirected,
    after: (value) => (typeof value === "string" ? resolved.logical : Buffer.from(resolved.logical)),
  };
}
