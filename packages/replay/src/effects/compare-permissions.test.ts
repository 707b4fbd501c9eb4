import type { FileFact } from "@reenact/node";
import { expect, test } from "vitest";
import { comparePermissions, onePermissions } from "./compare-permissions.ts";

const SAME = { recorded: 0o022, now: 0o022 };
const OTHER = { recorded: 0o022, now: 0o077 };

type Given = Partial<Pick<FileFact, "permissions" | "permissionsFrom" | "state">> & { before?: number };

function fact({ before, state = "file", ...rest }: Given): FileFact {
  const former = before === undefined ? { state: "absent" as const } : { state, permissions: before };
  return { path: "a.txt", state, ...rest, before: former } as FileFact;
}

const made = (permissions: number, permissionsFrom: FileFact["permissionsFrom"] = "umask"): FileFact =>
  fact({ permissions, permissionsFrom });

test.each([
  ["made alike", made(0o644), made(0o644), SAME, null],
  ["made with another mode", made(0o644), made(0o755), SAME, "what"],
  ["made under another umask", made(0o644), made(0o600), OTHER, "why"],
  ["another mode and another umask", made(0o755), made(0o600), OTHER, "what"],
  ["an unknown umask", made(0o644), made(0o600), { recorded: 0o022, now: undefined }, "what"],
  ["chmod instead of the umask", made(0o644), made(0o600, "chmod"), SAME, "what"],
  ["two calls of chmod under another umask", made(0o644, "chmod"), made(0o600, "chmod"), OTHER, "what"],
  ["copies of files with others", made(0o644, "source"), made(0o664, "source"), SAME, "why"],
  ["a copy instead of a new file", made(0o644), made(0o755, "source"), SAME, "what"],
  [
    "left alone, and others on this machine",
    fact({ permissions: 0o644, before: 0o644 }),
    fact({ permissions: 0o664, before: 0o664 }),
    SAME,
    null,
  ],
  [
    "no longer changed",
    fact({ permissions: 0o600, before: 0o644, permissionsFrom: "chmod" }),
    fact({ permissions: 0o644, before: 0o644 }),
    SAME,
    "what",
  ],
  [
    "changed from others",
    fact({ permissions: 0o755, before: 0o644, permissionsFrom: "chmod" }),
    fact({ permissions: 0o775, before: 0o664, permissionsFrom: "chmod" }),
    SAME,
    "why",
  ],
  [
    "a folder that stays open to the replay",
    fact({ permissions: 0o500, before: 0o500, state: "folder", permissionsFrom: "chmod" }),
    fact({ permissions: 0o700, before: 0o500, state: "folder", permissionsFrom: "chmod" }),
    SAME,
    null,
  ],
  ["not known, as on Windows", fact({}), made(0o644), SAME, null],
] as const)("%s", (_, recorded, now, umasks, expected) => {
  const judged = comparePermissions(recorded, now, umasks);
  expect(judged === null ? null : Object.keys(judged)[0]).toBe(expected);
});

test("permissions that one run alone has changed are a difference, if they are others than before", () => {
  const changed = fact({ permissions: 0o600, before: 0o644 });
  expect(onePermissions(changed, true)).toMatchObject({ what: "a.txt: permissions are changed from 644 to 600 now" });
  expect(onePermissions(changed, false)).toMatchObject({ now: null });
  expect(onePermissions(fact({ permissions: 0o644, before: 0o644 }), true)).toBeNull();
});
