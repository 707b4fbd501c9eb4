import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bin, launch } from "./reenact.ts";
import { agent, shortRuns, type ShortRuns } from "./short-runs.ts";

const HOSTILE = "\u001b[2J\u001b]0;owned\u0007ha\u009b31mrm -rf\r\u202e";
/** ok, failed, ok with a hostile tool */
let runs: ShortRuns;

beforeAll(async () => {
  runs = await shortRuns([], ["3"], ["0", HOSTILE]);
});

afterAll(() => runs.stop());

describe("for people", () => {
  // oxlint-disable-next-line no-control-regex
  const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

  it("what models and tools wrote is shown without control characters, in every view", async () => {
    const hostile = runs.ids[2] as string;
    for (const args of [["show", hostile], ["show", hostile, "--step", "2"], ["ls"], ["doctor"]]) {
      const ended = await runs.inStore(...args);
      expect(ended.stdout, args.join(" ")).not.toMatch(CONTROL);
      expect(ended.stdout.length).toBeGreaterThan(50);
    }
    expect((await runs.inStore("show", hostile, "--step", "2")).stdout).toContain("rm -rf");
    const diverged = await runs.inStore("replay", runs.ids[0] as string, "--", ...agent, "0", "fine", HOSTILE);
    expect(diverged.code).toBe(10);
    expect(diverged.stderr).not.toMatch(CONTROL);
  });

  it.runIf(process.platform === "linux")(
    "there is colour on a terminal, and none with NO_COLOR, CI, TERM=dumb or in a pipe",
    async () => {
      const onTerminal = async (env: Record<string, string>): Promise<string> => {
        const words = [process.execPath, bin, "ls", "--store", runs.store.folder];
        const command = words.map((word) => `'${word}'`).join(" ");
        return (
          await launch(["script", "-qec", command, "/dev/null"], {
            env: { TERM: "xterm-256color", NO_COLOR: undefined, CI: undefined, ...env },
          })
        ).stdout;
      };
      expect(await onTerminal({})).toContain("\u001b[32m✓");
      for (const env of [{ NO_COLOR: "1" }, { CI: "true" }, { TERM: "dumb" }])
        expect(await onTerminal(env)).not.toContain("\u001b[");
      expect(
        (await launch([process.execPath, bin, "ls", "--store", runs.store.folder], { env: { FORCE_COLOR: "1" } }))
          .stdout,
      ).not.toContain("\u001b[");
    },
  );

  it("--quiet leaves data and errors", async () => {
    expect(await runs.inStore("ls", "--limit", "1", "--quiet")).toMatchObject({
      stderr: "",
      stdout: expect.stringMatching(/^✓/) as string,
    });
    expect((await runs.inStore("ls", "--limit", "1")).stderr).toMatch(/2 older runs not shown/);
    expect((await runs.inStore("replay", runs.ids[0] as string, "--quiet", "--", ...agent)).stderr).toBe("");
  });

  it("the summary of run tells the next command, which works when it is pasted", async () => {
    const place = join(runs.folder, "its own");
    const command = ["sh", "-c", '"$0" "$1"', ...agent];
    const env = { PROVIDER_URL: runs.url };
    const ended = await launch([process.execPath, bin, "run", "--store", place, "--", ...command], { env });
    expect(ended.stderr).toMatch(
      /^✓ run [0-9a-f]{6} {2}ok\n {2}2 steps \(1 llm, 1 tool\) · .* · complete\n {2}replay: reenact replay [0-9a-f]{6} --store /,
    );
    const next = /replay: (reenact replay .*)\n/.exec(ended.stderr)?.[1] as string;
    const text = `reenact() { "${process.execPath}" "${bin}" "$@"; }\n${next}`;
    const replayed = await launch(["/bin/sh", "-c", text], { cwd: runs.folder, env: { PROVIDER_URL: undefined } });
    expect(replayed.stderr).toMatch(/^✓ identical {2}2 recorded, 0 live, 0 refused · .* · 0 sockets\n/);
    expect(replayed.stderr).toContain(`--store '${place}'`);
    expect(replayed.stdout).toBe(ended.stdout);
  });
});
