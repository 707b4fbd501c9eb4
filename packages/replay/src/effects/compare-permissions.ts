import type { FileFact } from "@reenact/node";

/** `why`: nothing can be said of the permissions. */
export type JudgedPermissions = { what: string; recorded: unknown; now: unknown } | { why: string } | null;

/** Permission bits that new files do not get, on both machines; undefined: not known. */
export interface Umasks {
  readonly recorded: number | undefined;
  readonly now: number | undefined;
}

const OCTAL = 8;
const OWNER = 0o700;

/**
 * Compares the permissions of a path that both runs wrote, as they are at the end. What another umask, another file that
 * was copied or other permissions before the run make of them is no difference of the program.
 */
export function comparePermissions(recorded: FileFact, now: FileFact, umasks: Umasks): JudgedPermissions {
  const was = bitsOf(recorded);
  const is = bitsOf(now);
  if (was === undefined || is === undefined || was === is) return null;
  const { permissions: before } = recorded.before;
  const { permissions: beforeNow } = now.before;
  const isKept = before === recorded.permissions && beforeNow === now.permissions;
  if (before !== undefined && beforeNow !== undefined && isKept) return null;
  const { path } = recorded;
  const from = [recorded.permissionsFrom, now.permissionsFrom];
  if (from.every((one) => one === "source"))
    return { why: `the permissions of ${path}, which are those of the file that it is a copy of` };
  if (before !== beforeNow && recorded.permissions !== before && now.permissions !== beforeNow)
    return {
      why: `the permissions of ${path}, which ${said(before)} before the recorded run wrote it, and ${said(beforeNow)} before this one`,
    };
  if (!from.every((one) => one === "chmod") && isByUmask(was ^ is, umasks))
    return {
      why: `the permissions of ${path}, since new files have others here (umask ${octal(umasks.now)}, recorded ${octal(umasks.recorded)})`,
    };
  return {
    what: `${path}: permissions ${octal(is)} now, recorded ${octal(was)}`,
    recorded: { path, permissions: octal(was) },
    now: { path: now.path, permissions: octal(is) },
  };
}

/** A path of which one run alone changed anything, and that the permissions alone. */
export function onePermissions({ path, permissions, before }: FileFact, isNow: boolean): JudgedPermissions {
  if (permissions === undefined || permissions === before.permissions) return null;
  const change = `${octal(before.permissions)} to ${octal(permissions)}`;
  const what = isNow
    ? `${path}: permissions are changed from ${change} now`
    : `${path}: permissions were changed from ${change} when recorded, are not now`;
  const shown = { path, permissions: octal(permissions) };
  return isNow ? { what, recorded: null, now: shown } : { what, recorded: shown, now: null };
}

/** A folder that was there stays open to the replay, whose copies lie in it. */
function bitsOf({ permissions, state, before }: FileFact): number | undefined {
  return permissions !== undefined && state === "folder" && before.state === "folder"
    ? permissions | OWNER
    : permissions;
}

function isByUmask(different: number, { recorded, now }: Umasks): boolean {
  if (recorded === undefined || now === undefined || recorded === now) return false;
  return (different & ~(recorded | now)) === 0;
}

function said(bits: number | undefined): string {
  return bits === undefined ? "was not there" : `had ${octal(bits)}`;
}

const octal = (bits: number | undefined): string => (bits ?? 0).toString(OCTAL).padStart(3, "0");
