import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProvider } from "../../examples/scripted-provider/provider.ts";
import { answers } from "../mutations/answers.ts";
import { furnish, suiteEnvironment, writeFolder } from "../mutations/bench.ts";
import { nameOf } from "../mutations/edit.ts";
import { suites } from "../mutations/suites.ts";
import { textsOf } from "../mutations/texts.ts";
import type { Group } from "./group.ts";

/** The programs that `npm run mutations` edits, without an edit. */
export const mutationPrograms: Group = {
  name: "programs of test/mutations",
  async open() {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "reenact-fidelity-")));
    furnish(home);
    const provider = await startProvider({ script: answers });
    return {
      programs: suites.map((suite) => {
        const { program, args = [], input, prepare } = suite;
        const cwd = join(home, nameOf(suite));
        const texts = textsOf(suite);
        return {
          name: nameOf(suite),
          command: [process.execPath, program, ...args],
          cwd,
          env: suiteEnvironment(suite, provider.url),
          ...(input !== undefined && { input }),
          prepare: () => writeFolder(cwd, texts, prepare),
        };
      }),
      stop: () => provider.stop(),
      close: () => rmSync(home, { recursive: true, force: true }),
    };
  },
};
