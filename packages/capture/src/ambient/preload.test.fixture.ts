/** Preloaded into a child of the tests: records its process into the file JOURNAL, or replays that file. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { live, setProcessFrame } from "../run/context.ts";
import { installLeaks } from "../leaks/leaks.ts";
import { watchModuleLoading } from "../hook/module-loading.ts";
import { installClock } from "./clock/clock.ts";
import { installEnvironment } from "./environment.ts";
import { left, missedDraws, recordingRun, replayingRun } from "./fake-replay.test.fixture.ts";
import { installForeign } from "./operations/native-wakeups.ts";
import { installMessageChannels } from "./threads/message-channels.ts";
import { installOrderedOperations } from "./operations/ordered-operations.ts";
import { installRandom } from "./random/random.ts";
import { installTimers } from "./timers/timers.ts";

const file = process.env["JOURNAL"] as string;
const replaying = process.env["REPLAY"] === "1";
delete process.env["JOURNAL"];
delete process.env["REPLAY"];
const run = replaying ? replayingRun(fs.readFileSync(file, "utf8")) : recordingRun();
for (const install of [
  installClock,
  installRandom,
  installTimers,
  installEnvironment,
  installOrderedOperations,
  installMessageChannels,
  installForeign,
  installLeaks,
])
  install();
watchModuleLoading([]);
syncBuiltinESMExports();
setProcessFrame(run.frame);
process.on("exit", () =>
  live(() => {
    if (!replaying) return fs.writeFileSync(file, run.journal.cut().events);
    const rest = [...left(run), ...(missedDraws(run) > 0 ? [`${missedDraws(run)} draws missed`] : [])];
    if (rest.length > 0) fs.writeSync(2, `left: ${JSON.stringify(rest)}\n`);
  }),
);
