import { existsSync, globSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { specifiersOf } from "./specifiers.ts";

/** Who may import whom. A package that is not here fails; so does an arrow that is not here. */
const mayImport: Record<string, readonly string[]> = {
  envelope: [],
  capture: ["envelope"],
  hooks: ["capture"],
  providers: ["capture", "envelope"],
  "instrumentation-openai": ["capture", "providers"],
  "instrumentation-anthropic": ["capture", "providers"],
  redaction: ["envelope", "capture"],
  node: ["envelope", "capture", "redaction", "hooks", "providers"],
  replay: ["envelope", "capture", "redaction", "hooks", "providers", "node"],
  view: ["envelope"],
  wire: [],
  ui: ["view", "collector"],
  collector: ["envelope", "redaction", "view"],
  testing: ["envelope", "node", "replay", "view", "wire"],
  vitest: ["testing"],
  cli: ["envelope", "providers", "node", "replay", "view", "wire", "testing", "collector"],
};

const root = dirname(import.meta.dirname);
const folders = [...globSync("packages/*", { cwd: root }), "collector"];
const packages = folders.map((folder) => ({ name: basename(folder), folder, manifest: manifestOf(folder) }));
const names = packages.map(({ name }) => name);
const sources = filesIn("{packages/*,collector}/{src,bin}/**/*.{ts,tsx,mts,cts,js,mjs,cjs}").filter(
  (file) => !file.includes("/dist/"),
);
const shipped = sources.filter((file) => !isTest(file));

test("every package has a row in the table, and every row a package", () => {
  expect(names.toSorted()).toEqual(Object.keys(mayImport).toSorted());
});

describe.each(packages)("$name", ({ name, folder, manifest }) => {
  // fixtures are programs as a user has them
  const own = sources.filter((file) => file.startsWith(`${folder}/`) && !file.includes("/fixtures/"));

  test("imports only the packages it may, through their exports", () => {
    const wrong = own.flatMap((file) =>
      specifiersIn(file).flatMap(({ name: specifier, kind }) => {
        const target = packageOf(specifier);
        if (!target) return [];
        if (target === name) return kind === "path" ? [] : [`${file}: imports its own package as ${specifier}`];
        if (!mayImport[name]?.includes(target)) return [`${file}: ${name} may not import ${target} (${specifier})`];
        return isExported(specifier, target) ? [] : [`${file}: ${specifier} is not an export of ${target}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test("depends only on the packages it may", () => {
    const wanted = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const targets = wanted.map(packageOf).filter((target) => target !== null);
    expect(targets.filter((target) => !mayImport[name]?.includes(target))).toEqual([]);
  });

  test("imports nothing that its package.json does not name", () => {
    const declared = Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    });
    const wrong = own
      .filter((file) => !isTest(file))
      .flatMap((file) =>
        specifiersIn(file)
          .map((specifier) => vendorOf(specifier.name))
          .filter((vendor) => vendor !== null && !declared.includes(vendor))
          .map((vendor) => `${file}: ${vendor}`),
      );
    expect(wrong).toEqual([]);
  });

  test("has no relative import that leaves it, and each names a file", () => {
    const wrong = own.flatMap((file) =>
      specifiersIn(file)
        .filter(({ name: specifier }) => specifier.startsWith("."))
        .filter(
          ({ name: specifier }) => !staysIn(folder, file, specifier) || !/\.([cm]?[jt]s(on)?|tsx)$/.test(specifier),
        )
        .map(({ name: specifier }) => `${file}: ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test("has a README, the licence, no install script and no dependency from outside the registry", () => {
    expect(existsSync(join(root, folder, "README.md")), `${folder}/README.md`).toBe(true);
    expect(manifest.license).toBe("Apache-2.0");
    const hooks = ["preinstall", "install", "postinstall", "prepare"];
    expect(Object.keys(manifest.scripts ?? {}).filter((script) => hooks.includes(script))).toEqual([]);
    const ranges = Object.values({ ...manifest.dependencies, ...manifest.peerDependencies });
    expect(ranges.filter((range) => /[:/]/.test(range))).toEqual([]);
  });
});

test("envelope is a leaf: zod, canonicalize, devalue and Node", () => {
  expect(vendorsOf("envelope").filter((vendor) => !["zod", "canonicalize", "devalue"].includes(vendor))).toEqual([]);
});

test("view is pure: it imports the envelope package and no module of Node", () => {
  const own = shipped.filter((file) => file.startsWith("packages/view/"));
  const outside = own
    .flatMap((file) => specifiersIn(file).map(({ name }) => name))
    .filter((name) => !name.startsWith("."));
  expect([...new Set(outside)].filter((name) => packageOf(name) !== "envelope")).toEqual([]);
});

test("no package runs the OpenTelemetry SDK; redaction knows its types", () => {
  const wrong = shipped.flatMap((file) =>
    specifiersIn(file)
      .filter(({ name }) => name.startsWith("@opentelemetry/") && name !== "@opentelemetry/api")
      .filter(({ kind }) => !(kind === "types" && file.startsWith("packages/redaction/")))
      .map(({ name }) => `${file}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("clients of services are imported by their driver file only", () => {
  const clients = /^(@aws-sdk\/|@platformatic\/kafka|kafkajs|pg$|pg\/|@grpc\/)/;
  const wrong = shipped.flatMap((file) =>
    specifiersIn(file)
      .filter(({ name }) => clients.test(name) && !/\/drivers?\//.test(file))
      .map(({ name }) => `${file}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("tests and examples use packages by name, never by a path into them", () => {
  const outside = filesIn("{test,examples}/**/*.{ts,mts,js,mjs,cjs}");
  const wrong = outside.flatMap((file) =>
    specifiersIn(file)
      .filter(({ name }) => {
        const target = packageOf(name);
        if (target) return !isExported(name, target);
        return (
          name.startsWith(".") && /^(packages|collector)\b/.test(relative(root, resolve(root, dirname(file), name)))
        );
      })
      .map(({ name }) => `${file}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("no file is named after nothing", () => {
  const wrong = sources.filter((file) =>
    file
      .split("/")
      .slice(3)
      .map((part) => part.replace(/\..*$/, ""))
      .some(
        (stem) => /^(utils?|helpers?|common|misc|types?|shared)$/.test(stem) || /-(utils?|helpers?|misc)$/.test(stem),
      ),
  );
  expect(wrong).toEqual([]);
});

test("no shipped file is longer than 400 lines", () => {
  const lengths = shipped.map((file) => ({ file, lines: read(file).trimEnd().split("\n").length }));
  expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
});

test("the lockfile names no registry, and is in step with every package.json", () => {
  const text = read("package-lock.json");
  expect(text.match(/"resolved": "[a-z+]+:.*/g)).toBeNull();
  const locked = (JSON.parse(text) as { packages: Record<string, Record<string, unknown>> }).packages;
  const folders = ["", ...filesIn("{packages/*,examples/*,collector}/package.json").map((file) => dirname(file))];
  for (const folder of folders) {
    const manifest = JSON.parse(read(join(folder, "package.json"))) as Record<string, unknown>;
    for (const field of ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]) {
      expect(locked[folder]?.[field], `${folder}/package.json ${field}: run npm install`).toEqual(manifest[field]);
    }
  }
});

interface Manifest {
  name: string;
  license?: string;
  exports?: Record<string, unknown>;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
}

function filesIn(pattern: string): string[] {
  const paths = globSync(pattern, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] });
  return paths.map((path) => path.split(sep).join("/")).toSorted();
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function isTest(file: string): boolean {
  return /\.(test|fixture)\.[cm]?ts$/.test(file) || file.includes("/fixtures/");
}

function specifiersIn(file: string): ReturnType<typeof specifiersOf> {
  return specifiersOf(read(file));
}

/** `@reenact/envelope/schema` → `envelope`; null for what is not ours. */
function packageOf(specifier: string): string | null {
  const entry = packages.find(({ manifest: { name } }) => specifier === name || specifier.startsWith(`${name}/`));
  if (entry) return entry.name;
  return specifier.startsWith("@reenact/") ? specifier : null;
}

function isExported(specifier: string, target: string): boolean {
  const manifest = packages.find(({ name }) => name === target)?.manifest;
  if (manifest === undefined) return false;
  const subpath = `.${specifier.slice(manifest.name.length)}`;
  return Object.keys(manifest.exports ?? {}).some((key) => key === subpath || matchesPattern(key, subpath));
}

/** `./*` names one segment. */
function matchesPattern(key: string, subpath: string): boolean {
  const [before, after] = key.split("*", 2);
  if (before === undefined || after === undefined) return false;
  return subpath.startsWith(before) && subpath.endsWith(after) && !subpath.slice(before.length).includes("/");
}

/** The npm package behind a specifier; null for Node's own modules, relative paths and our packages. */
function vendorOf(specifier: string): string | null {
  if (/^(\.|#|node:|data:|file:|\/)/.test(specifier) || packageOf(specifier)) return null;
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  return builtinModules.includes(name) ? null : name;
}

function vendorsOf(name: string): string[] {
  const own = shipped.filter((file) => file.startsWith(`packages/${name}/`));
  const vendors = own.flatMap((file) => specifiersIn(file).map((specifier) => vendorOf(specifier.name)));
  return [...new Set(vendors.filter((vendor) => vendor !== null))];
}

function staysIn(folder: string, file: string, specifier: string): boolean {
  const target = relative(join(root, folder), resolve(root, dirname(file), specifier));
  return !target.startsWith("..");
}
