import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEnvelope } from "@reenact/envelope/file";
import { bin, launch } from "./reenact.ts";
import { agent, program, shortRuns, type ShortRuns } from "./short-runs.ts";

let runs: ShortRuns;

beforeAll(async () => {
  runs = await shortRuns([]);
});

afterAll(() => runs.stop());

describe("export and import", () => {
  const digest = (path: string): string => readEnvelope(readFileSync(path)).header.content;

  it.each(["--otlp", "--json"])("%s and back has the same content", async (format) => {
    const [one] = runs.ids as [string];
    const file = join(runs.folder, `run${format}`);
    const other = join(runs.folder, `store${format}`);
    expect(await runs.inStore("export", one, format, "-o", file)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const piped = join(runs.folder, `piped${format}`);
    await launch([
      "/bin/sh",
      "-c",
      `"$@" > ${piped}`,
      "sh",
      process.execPath,
      bin,
      "export",
      one,
      format,
      "--store",
      runs.store.folder,
    ]);
    expect(readFileSync(piped).equals(readFileSync(file))).toBe(true);
    const dashed = join(runs.folder, `dashed${format}`);
    const through = [process.execPath, bin, "export", one, format, "-o", "-", "--store", runs.store.folder];
    await launch(["/bin/sh", "-c", `"$@" | cat > ${dashed}`, "sh", ...through], { cwd: runs.folder });
    expect(readFileSync(dashed).equals(readFileSync(file))).toBe(true);
    expect(existsSync(join(runs.folder, "-"))).toBe(false);
    expect((await runs.reenact("import", file, "--store", other)).stdout).toBe(`${one}\n`);
    const path = join(other, "runs", `${one}.reenact`);
    expect(digest(path)).toBe(digest(runs.store.path(one)));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const replayed = await launch([
      process.execPath,
      bin,
      "replay",
      "@last",
      "--store",
      other,
      "--quiet",
      "--",
      ...agent,
    ]);
    expect(replayed).toMatchObject({ code: 0, stdout: runs.stdout });
  });

  it("a run is exported as its own file, by option or by the name of the output, and replays from there", async () => {
    const [one] = runs.ids as [string];
    const [named, other] = [join(runs.folder, "one.reenact"), join(runs.folder, "one.file")];
    expect(await runs.inStore("export", one, "-o", named)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(await runs.inStore("export", one, "--envelope", "-o", other)).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(named).equals(readFileSync(runs.store.path(one)))).toBe(true);
    expect(readFileSync(other).equals(readFileSync(named))).toBe(true);
    const empty = join(runs.folder, "empty-store");
    const replay = [bin, "replay", named, "--store", empty, "--quiet", "--", ...agent];
    expect(await launch([process.execPath, ...replay])).toMatchObject({ code: 0, stdout: runs.stdout });
  });

  it("an export without a format, or with two, says what to type", async () => {
    const [one] = runs.ids as [string];
    for (const options of [[], ["-o", join(runs.folder, "one.bin")], ["--otlp", "--envelope"]]) {
      const { code, stderr } = await runs.inStore("export", one, ...options);
      expect(code).toBe(3);
      expect(stderr).toContain(`Next: reenact export ${one} -o run.reenact`);
    }
    expect(existsSync(join(runs.folder, "one.bin"))).toBe(false);
  });

  it("a .reenact file is brought in as it is, and never replaces a later revision", async () => {
    const [one] = runs.ids as [string];
    const other = join(runs.folder, "files");
    await runs.reenact("import", runs.store.path(one), "--store", other);
    const path = join(other, "runs", `${one}.reenact`);
    expect(readFileSync(path).equals(readFileSync(runs.store.path(one)))).toBe(true);
    const before = statSync(path).mtimeMs;
    await runs.reenact("import", runs.store.path(one), "--store", other);
    expect(statSync(path).mtimeMs).toBe(before);
  });
});

describe("another machine", () => {
  it("replays a file: other store, runs.folder, home and time zone, no key, another environment, nothing of the first", async () => {
    const place = join(runs.folder, "elsewhere");
    mkdirSync(join(place, "work"), { recursive: true });
    const file = join(place, "work", "failed run.reenact");
    copyFileSync(runs.store.path(runs.ids[0] as string), file);
    writeFileSync(
      join(place, "program.mjs"),
      readFileSync(program, "utf8").replaceAll(
        "@reenact/node",
        new URL("../../packages/node/dist/index.js", import.meta.url).href,
      ),
    );
    const command = [process.execPath, join(place, "program.mjs")];
    const bare = {
      PATH: process.env["PATH"],
      HOME: place,
      TZ: "Pacific/Kiritimati",
      LANG: "de_DE.UTF-8",
      WHO: "somebody else",
    };
    const env = { ...Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined])), ...bare };
    const report = join(place, "report.json");
    const ended = await launch(
      [process.execPath, bin, "replay", "failed run.reenact", "--quiet", "--json-file", report, "--", ...command],
      { cwd: join(place, "work"), env },
    );
    expect(ended, readFileSync(report, "utf8")).toMatchObject({ code: 0, stdout: runs.stdout, stderr: "" });
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      verdict: "identical",
      recorded: 2,
      socketsRefused: 0,
    });
    const listed = await launch([process.execPath, bin, "ls", "--replays", "--json"], {
      cwd: join(place, "work"),
      env,
    });
    expect(JSON.parse(listed.stdout)).toMatchObject({ runs: [{ replayOf: runs.ids[0] }] });
  });
});
