import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { Store } from "./reenact.ts";

const program = fileURLToPath(new URL("../programs/asked-agent.mjs", import.meta.url));
const store = new Store();
afterEach(() => store.remove());

/** Asks the program that writes its address into `file`. */
async function ask(file: string, question: string): Promise<string> {
  for (const until = Date.now() + 20_000; !existsSync(file); await sleep(20))
    if (Date.now() > until) throw new Error("the program does not listen");
  const url = `${readFileSync(file, "utf8")}/${encodeURIComponent(question)}`;
  return fetch(url).then(
    (response) => response.text(),
    () => "",
  );
}

test(
  "one request to a web server is replayed when it is sent again, and the replay ends by itself",
  { timeout: 60_000 },
  async () => {
    const file = join(store.folder, "address");
    const command = [process.execPath, program, file];
    const provider = await startProvider();
    const env = { PROVIDER_URL: provider.url };
    const recording = store.run(command, { env });
    const answers = [await ask(file, "first"), await ask(file, "second")];
    await ask(file, "stop");
    const { summary } = await recording;
    await provider.stop();
    expect(summary.runs).toHaveLength(2);

    const [first, second] = answers;
    for (const [question, answer, run] of [
      ["second", second, summary.runs[1]],
      ["first", first, summary.runs[0]],
    ] as const) {
      rmSync(file, { force: true });
      const replay = store.replay(run!, command, { env });
      expect(await ask(file, question)).toBe(answer);
      const { code, report } = await replay;
      expect(report).toMatchObject({ verdict: "identical", recorded: 1, sockets: 0 });
      expect(code).toBe(0);
    }
  },
);
