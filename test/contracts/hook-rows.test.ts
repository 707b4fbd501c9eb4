import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { watchHooks } from "@reenact/capture/hook";
import { HOOKS } from "@reenact/hooks";
import { describe, expect, test } from "vitest";

const sources = join(import.meta.dirname, "../../packages/hooks/src");
const readme = readFileSync(join(sources, "../README.md"), "utf8").split("\n");

test("every folder with a hook is a row, under the folder's name", () => {
  const folders = globSync("*/*/hook.ts", { cwd: sources }).map((path) => dirname(path).replaceAll("\\", "/"));
  expect(HOOKS.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
});

describe.each(HOOKS)("$name", (hook) => {
  test("names one place to look at, and one way to take part", () => {
    expect([hook.files, hook.builtin, hook.handler].filter((place) => place !== undefined)).toHaveLength(1);
    expect(
      [
        hook.step,
        hook.tools,
        hook.channel,
        hook.wire,
        hook.jobs,
        hook.jobTaker,
        hook.made,
        hook.decisions,
        hook.handler,
        hook.patch,
      ].filter((way) => way !== undefined),
    ).toHaveLength(1);
    if (hook.patch === undefined && hook.handler === undefined) expect(hook.versions).toBeDefined();
  });

  test("is in the README, with the versions that are tested", () => {
    const range = hook.versions === undefined ? "any" : `>=${hook.versions.from} <${hook.versions.below}`;
    const [first = hook.builtin ?? hook.handler?.by] = (hook.files ?? []).flatMap(({ packages }) => packages);
    const name = first?.startsWith("@opentelemetry/") === true ? "@opentelemetry/*" : first;
    expect(readme.some((line) => line.includes(`\`${name}\``) && line.includes(`| ${range} |`))).toBe(true);
  });

  test("leaves a value of another shape alone", () => {
    const watch = watchHooks([hook]);
    const seam = (process as unknown as Record<symbol, (name: string, value: unknown) => void>)[
      Symbol.for("reenact.hooks/1")
    ];
    for (const value of [undefined, null, 1, {}, { prototype: {} }, { exports: {} }])
      expect(() => seam?.(hook.name, value)).not.toThrow();
    watch.undo();
  });
});
