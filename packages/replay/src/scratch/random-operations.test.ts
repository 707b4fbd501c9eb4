import fc from "fast-check";
import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installScratch } from "./scratch.ts";

type Form = "sync" | "callback" | "promise";
type Operation = { name: string; args: unknown[]; form: Form };

const PATHS = [
  "a",
  "b",
  "new",
  "d",
  "d/",
  "d/a",
  "d/new",
  "d/e",
  "d/e/f",
  "d/e/new",
  "empty",
  "empty/x",
  "a/x",
  "no/x",
  "no/y/z",
  "l",
  "l/a",
  "l/new",
  "l/../a",
  "up",
  "up/a",
  "gone",
  "loop",
  "abs",
  "abs/f",
  "./d/../b",
  ".",
];
const path = fc.constantFrom(...PATHS);
const text = fc.constantFrom("", "x", "longer text");
const form = fc.constantFrom<Form>("sync", "callback", "promise");
const flag = fc.constantFrom("r", "r+", "w", "w+", "wx", "a", "ax", "a+");

const call = (name: string, ...args: fc.Arbitrary<unknown>[]): fc.Arbitrary<Operation> =>
  fc.record({ name: fc.constant(name), args: fc.tuple(...args), form });
const option = (...values: unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values);

const operation = fc.oneof(
  call("writeFile", path, text),
  call("writeFile", path, text, fc.record({ flag })),
  call("appendFile", path, text),
  call("readFile", path, fc.constant("utf8")),
  call("truncate", path, option(0, 2)),
  call("unlink", path),
  call("rmdir", path),
  call(
    "rm",
    path.filter((p) => p !== "."),
    option({}, { recursive: true }, { force: true }, { recursive: true, force: true }),
  ),
  call("rename", path, path),
  call("mkdir", path),
  call(
    "mkdir",
    fc.oneof(
      path.filter((p) => !p.includes("..")),
      fc.constantFrom("no/../x", "empty/new/../../y", "no/y/../../d/new"),
    ),
    fc.constant({ recursive: true }),
  ),
  call("symlink", option("a", "d", "../b", "e", "nowhere", "@/d/e"), path),
  call("link", path, path),
  call("copyFile", path, path, option(0, fs.constants.COPYFILE_EXCL)),
  call(
    "cp",
    option("a", "b", "d", "d/e", "d/e/f", "empty", "no/x"),
    option("new", "d/new", "empty", "empty/x", "b", "d/e", "no/y/z"),
    option({ recursive: true }, {}, { recursive: true, force: false }, { recursive: true, verbatimSymlinks: true }),
  ),
  call("chmod", path, option(0o600, 0o755)),
  call("utimes", path, fc.constant(1000), fc.constant(2000)),
  call("lutimes", path, fc.constant(1000), fc.constant(2000)),
  call("stat", path),
  call("lstat", path),
  call("access", path),
  call("exists", path),
  call("readlink", path),
  call("realpath", path),
  call("readdir", path, option({}, { withFileTypes: true })),
  call(
    "readdir",
    option("d", "l", ".", "empty"),
    option({ recursive: true }, { recursive: true, withFileTypes: true }),
  ),
  call("opendir", path),
);

const TWO = new Set(["rename", "link", "copyFile", "cp"]);

function plant(root: string): void {
  fs.mkdirSync(join(root, "d/e"), { recursive: true });
  fs.mkdirSync(join(root, "empty"));
  for (const name of ["a", "b", "d/a", "d/e/f"]) fs.writeFileSync(join(root, name), `${name} as it was`);
  fs.chmodSync(join(root, "b"), 0o640);
  fs.symlinkSync("d", join(root, "l"));
  fs.symlinkSync("..", join(root, "d/up"));
  fs.symlinkSync("d/e/..", join(root, "up"));
  fs.symlinkSync("nowhere", join(root, "gone"));
  fs.symlinkSync("loop", join(root, "loop"));
  fs.symlinkSync(join(root, "d/e"), join(root, "abs"));
}

/** Everything below a folder, as a program sees it. */
function portrait(root: string, exact: boolean): unknown[] {
  const walk = (at: string): unknown[] =>
    fs.readdirSync(join(root, at)).flatMap((name) => {
      const way = join(at, name);
      const stats = fs.lstatSync(join(root, way));
      const facts = [
        way,
        stats.mode.toString(8),
        stats.isFile() ? stats.nlink : 0,
        ...(exact ? [stats.mtimeMs, stats.ctimeMs, stats.ino, stats.nlink] : []),
      ];
      if (stats.isDirectory()) return [facts, ...walk(way)];
      return [
        [
          ...facts,
          stats.isSymbolicLink()
            ? fs.readlinkSync(join(root, way)).replaceAll(root, "@")
            : fs.readFileSync(join(root, way), "utf8"),
        ],
      ];
    });
  return walk(".");
}

async function perform({ name, args, form: how }: Operation, root: string): Promise<unknown> {
  const paths = TWO.has(name) ? [0, 1] : name === "symlink" ? [1] : [0];
  const real = args.map((arg, i) =>
    paths.includes(i) ? `${root}/${String(arg)}` : typeof arg === "string" ? arg.replace("@", root) : arg,
  );
  const plain = (text: string): string => text.replaceAll(root, "@");
  try {
    const value = await invoke(name, how, real);
    return await describe(value, plain, name);
  } catch (error) {
    const { code, message, path: at, dest } = error as NodeJS.ErrnoException & { dest?: string };
    return name === "cp" || name === "realpath"
      ? { code }
      : { code, message: plain(message), path: at && plain(at), dest: dest && plain(dest) };
  }
}

async function invoke(name: string, how: Form, args: unknown[]): Promise<unknown> {
  type Loose = Record<string, (...a: unknown[]) => unknown>;
  if (how === "sync" || (how === "promise" && name === "exists"))
    return (fs as unknown as Loose)[`${name}Sync`]?.(...args);
  if (how === "promise") return (fs.promises as unknown as Loose)[name]?.(...args);
  return new Promise((resolve, reject) => {
    (fs as unknown as Loose)[name]?.(...args, (...answer: unknown[]) =>
      name === "exists" ? resolve(answer[0]) : answer[0] ? reject(answer[0] as Error) : resolve(answer[1]),
    );
  });
}

async function describe(value: unknown, plain: (text: string) => string, name: string): Promise<unknown> {
  if (typeof value === "string") return plain(value);
  if (value instanceof fs.Dir) {
    const names: string[] = [];
    for await (const entry of value) names.push(`${plain(entry.parentPath)} ${entry.name} ${entry.isDirectory()}`);
    return [plain(value.path), names.sort()];
  }
  if (Array.isArray(value))
    return value.map((entry: string | fs.Dirent) =>
      typeof entry === "string"
        ? entry
        : `${plain(entry.parentPath)} ${entry.name} ${entry.isDirectory()} ${entry.isSymbolicLink()}`,
    );
  if (value instanceof fs.Stats)
    return {
      mode: value.mode,
      size: value.isFile() ? value.size : 0,
      ...(name === "stat" && value.mtimeMs === 2_000_000 ? { touched: true } : {}),
    };
  return value;
}

/** Endless by nature: folders that hold links to what holds them. */
function endless({ name, args }: Operation): boolean {
  return name === "readdir" && (args[1] as { recursive?: boolean }).recursive === true;
}

/** Where Node itself leaves half of the work behind when it fails. */
function untidy({ name, args }: Operation, root: string): boolean {
  const folder = (): boolean => {
    try {
      return fs.statSync(join(root, String(args[0]))).isDirectory();
    } catch {
      // nothing, or a link to itself
      return false;
    }
  };
  const link = (): boolean =>
    fs.lstatSync(join(root, String(args[0])), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (name === "cp" && link()) return true;
  return (
    (name === "copyFile" && folder()) ||
    (name === "cp" && args[1] === "no/y/z" && (args[2] as { recursive?: boolean }).recursive !== true)
  );
}

/** What random operations once found. */
const FOUND_BEFORE: [Operation[]][] = [
  [
    [
      { name: "unlink", args: ["a"], form: "sync" },
      { name: "link", args: ["loop", "a"], form: "sync" },
      { name: "copyFile", args: ["a", "a", 0], form: "sync" },
    ],
  ],
  [
    [
      { name: "rename", args: ["d/", "new"], form: "sync" },
      { name: "mkdir", args: ["d/", { recursive: true }], form: "sync" },
    ],
  ],
  [
    [
      { name: "link", args: ["loop", "up"], form: "sync" },
      { name: "rmdir", args: ["up/a"], form: "sync" },
      { name: "readdir", args: ["d", { recursive: true }], form: "sync" },
    ],
  ],
  [
    [
      { name: "link", args: ["abs/f", "new"], form: "sync" },
      { name: "cp", args: ["d/e/f", "new", { recursive: true }], form: "sync" },
      { name: "cp", args: ["d/e/f", "new", {}], form: "callback" },
    ],
  ],
  [
    [
      { name: "writeFile", args: ["up", ""], form: "sync" },
      { name: "readdir", args: ["d", { recursive: true }], form: "sync" },
      { name: "lstat", args: ["up/a"], form: "sync" },
    ],
  ],
  [
    [
      { name: "rm", args: ["d/", { recursive: true }], form: "sync" },
      { name: "mkdir", args: ["l/a", { recursive: true }], form: "callback" },
      { name: "mkdir", args: ["l/a", { recursive: true }], form: "sync" },
      { name: "mkdir", args: ["l/new/er", { recursive: true }], form: "promise" },
    ],
  ],
  [
    [
      { name: "rename", args: ["d/e", "l/new"], form: "sync" },
      { name: "mkdir", args: ["up/a", { recursive: true }], form: "sync" },
      { name: "mkdir", args: ["up/a/b", { recursive: true }], form: "promise" },
      { name: "mkdir", args: ["up", { recursive: true }], form: "callback" },
    ],
  ],
  [
    [
      { name: "cp", args: ["d", "no/y/z", { recursive: true }], form: "sync" },
      { name: "cp", args: ["d", "no/y/z", { recursive: true }], form: "callback" },
      { name: "cp", args: ["d", "no/y/z", { recursive: true }], form: "sync" },
    ],
  ],
  [
    [
      { name: "symlink", args: ["../b", "l/new"], form: "sync" },
      { name: "cp", args: ["b", "d/new", { recursive: true }], form: "sync" },
    ],
  ],
  [
    [
      { name: "mkdir", args: ["no/../x/y", { recursive: true }], form: "sync" },
      { name: "mkdir", args: ["no/m/../../z", { recursive: true }], form: "promise" },
      { name: "mkdir", args: ["no/../no/n/..", { recursive: true }], form: "callback" },
      { name: "mkdir", args: ["d/../no/k/../../d/g", { recursive: true }], form: "sync" },
      { name: "mkdir", args: ["a/../no/k", { recursive: true }], form: "sync" },
    ],
  ],
];

test("random operations give what they give in a plain tree, and leave the original as it was", async () => {
  const base = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), "scratch-")));
  let round = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 14 }), async (operations) => {
        const home = join(base, String(++round));
        const [original, plainTree] = [join(home, "A"), join(home, "B")];
        for (const root of [original, plainTree]) plant(root);
        if (operations.some(endless))
          for (const root of [original, plainTree]) for (const link of ["d/up", "up"]) fs.rmSync(join(root, link));
        const before = portrait(original, true);
        const scratch = installScratch({
          folder: join(home, "scratch"),
          applies: () => true,
          ignore: (p) => p === plainTree || p.startsWith(`${plainTree}/`),
          onCopy: () => {},
        });
        try {
          for (const one of operations) {
            if (endless(one) && operations.some((o) => ["symlink", "link", "rename", "cp"].includes(o.name))) continue;
            if (untidy(one, plainTree)) continue;
            const expected = await perform(one, plainTree);
            const got = await perform(one, original);
            expect({ one, got }).toEqual({ one, got: expected });
          }
          const normal = (list: unknown[]): unknown[] => JSON.parse(JSON.stringify(list)) as unknown[];
          expect(normal(portrait(original, false))).toEqual(normal(portrait(plainTree, false)));
        } finally {
          scratch.undo();
        }
        expect(portrait(original, true)).toEqual(before);
        fs.rmSync(home, { recursive: true, force: true });
      }),
      { numRuns: Number(process.env["SCRATCH_RUNS"] ?? 100), examples: FOUND_BEFORE },
    );
  } finally {
    fs.rmSync(base, { recursive: true, force: true });
  }
}, 60_000);
