import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import type { LogFields } from "../log.ts";
import { UNSEALED_PREFIX } from "./set-aside.ts";
import { openWorkbench, type Workbench } from "./workbench.test.fixture.ts";

let bench: Workbench;
afterEach(() => bench.close());

test.each([false, true])(
  "bytes that changed on the disk after they were acknowledged are never sealed: run and span are named (on a thread: %s)",
  async (thread) => {
    const lines: { event: string; fields: LogFields }[] = [];
    bench = await openWorkbench({ thread, log: (_, event, fields = {}) => lines.push({ event, fields }) });
    const [hurt, well] = [sampleRun(1, { text: () => "the text that changes" }), sampleRun(2)];
    await bench.send(hurt.steps.slice(0, 1));
    await bench.send(hurt.steps.slice(1, 2));
    await bench.send([...well.steps, well.root]);
    await bench.settled();
    const [name] = readdirSync(bench.journalFolder).filter((each) =>
      readFileSync(join(bench.journalFolder, each)).includes("changes"),
    );
    const path = join(bench.journalFolder, name!);
    const bytes = readFileSync(path);
    bytes[bytes.lastIndexOf("changes")]! ^= 1;
    writeFileSync(path, bytes, { flag: "r+" });
    await bench.pass(600_000);

    expect(await bench.envelope(hurt.run)).toBeNull();
    expect((await bench.envelope(well.run))?.complete).toBe(true);
    const aside = lines.filter(({ event }) => event === "seal.set-aside").map(({ fields }) => fields);
    expect(aside).toMatchObject([{ run: hurt.run, error: { code: "DAMAGED" } }]);
    const { message } = aside[0]!["error"] as Error;
    expect(message).toContain(hurt.run);
    expect(message).toContain(hurt.steps[1]!.spanId);
    expect(message).not.toContain(hurt.steps[0]!.spanId);
    const kept: string[] = [];
    for await (const { key } of bench.store.list(UNSEALED_PREFIX)) kept.push(key);
    expect(kept).toHaveLength(1);
  },
);
