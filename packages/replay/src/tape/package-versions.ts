import { dirname, resolve } from "node:path";
import { live } from "@reenact/capture/recorder";
import { lockfileDigest, sdkVersions } from "@reenact/node";
import type { RootFacts } from "./tape.ts";

/** Whether a package, or any package where none is named, is in another version than when the run was recorded. */
export function isOtherVersion({ sdks = {}, lockfile }: RootFacts, name: string | null): boolean {
  const now = live(() =>
    sdkVersions(process.argv[1] === undefined ? process.cwd() : dirname(resolve(process.argv[1]))),
  );
  const isOtherSdk = (sdk: string): boolean => sdks[sdk] !== undefined && sdks[sdk] !== now[sdk];
  if (name === null ? Object.keys(sdks).some(isOtherSdk) : isOtherSdk(name)) return true;
  if (name !== null && sdks[name] !== undefined) return false;
  return lockfile !== undefined && live(() => lockfileDigest(process.cwd()))?.sha256 !== lockfile.sha256;
}
