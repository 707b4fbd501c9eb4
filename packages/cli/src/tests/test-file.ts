import { relative, sep } from "node:path";
import { DEFINITION_ENDING } from "@reenact/testing";

export const RUNNERS = ["vitest", "node"] as const;
export type Runner = (typeof RUNNERS)[number];

/** The package that a test file imports. */
export const PACKAGE_OF: Readonly<Record<Runner, string>> = { vitest: "@reenact/vitest", node: "@reenact/testing" };

/** A function of the project that a fixture is replayed around. */
export interface TestedFunction {
  /** path of its module, absolute */
  readonly module: string;
  /** name of its export */
  readonly name: string;
}

/** Text of the test of one fixture, for a file in the folder of the fixture. */
export function testFile(
  name: string,
  options: { runner: Runner; folder: string; fn: TestedFunction | null; sentence: string },
): string {
  const { runner, folder, fn, sentence } = options;
  const imports = fn === null ? [] : [`import { ${fn.name} } from ${JSON.stringify(specifier(folder, fn.module))};`];
  const file = `new URL(${JSON.stringify(`${encodeURIComponent(name)}${DEFINITION_ENDING}`)}, import.meta.url)`;
  const args = fn === null ? file : `${file}, ${fn.name}`;
  const title = JSON.stringify(name);
  const lines =
    runner === "vitest"
      ? [
          `import { replay } from "${PACKAGE_OF.vitest}";`,
          'import { expect, test } from "vitest";',
          ...imports,
          "",
          `// ${sentence}`,
          `test(${title}, async () => {`,
          `  expect(await replay(${args})).toMatchRun();`,
          "}, 60_000);",
        ]
      : [
          'import { test } from "node:test";',
          `import { assertFixture } from "${PACKAGE_OF.node}";`,
          ...imports,
          "",
          `// ${sentence}`,
          `test(${title}, async () => {`,
          `  await assertFixture(${args});`,
          "});",
        ];
  return `${lines.join("\n")}\n`;
}

function specifier(folder: string, module: string): string {
  const path = relative(folder, module).split(sep).join("/");
  return path.startsWith(".") ? path : `./${path}`;
}
