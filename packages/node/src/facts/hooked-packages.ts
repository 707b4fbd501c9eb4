import { type Hook, isWithin, type VersionRange } from "@reenact/capture/hook";
import { HOOKS } from "@reenact/hooks";
import { installedVersion } from "./installed-version.ts";

/** An npm package that the recorder has a hook for, as it is installed. */
export interface HookedPackage {
  readonly name: string;
  readonly version: string;
  /** for people: what the hook records or withholds there */
  readonly title: string;
  /** the versions that are hooked where the installed one is not; null: it is */
  readonly outside: VersionRange | null;
}

/** The packages with a hook that a file in `folder` would load, in the order of the registry. */
export function hookedPackages(folder: string): HookedPackage[] {
  return HOOKS.flatMap((hook) => {
    const names = new Set(hook.files?.flatMap(({ packages }) => packages));
    return [...names].flatMap((name) => {
      const version = installedVersion(folder, name);
      if (version === null) return [];
      return [{ name, version, title: hook.title, outside: missedRange(version, rangesOf(hook, name)) }];
    });
  });
}

function rangesOf({ files = [], versions }: Hook, name: string): (VersionRange | undefined)[] {
  return files.filter(({ packages }) => packages.includes(name)).map((file) => file.versions ?? versions);
}

/** The first of the ranges if the version is in none of them, else null. `undefined` stands for every version. */
function missedRange(version: string, ranges: readonly (VersionRange | undefined)[]): VersionRange | null {
  const hooked = ranges.some((range) => range === undefined || isWithin(version, range));
  return hooked ? null : (ranges[0] ?? null);
}
