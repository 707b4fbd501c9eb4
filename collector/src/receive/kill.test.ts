import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { decodeSpan, scanTraces, WireWriter } from "@reenact/envelope";
import { expect, test } from "vitest";
import { JOURNAL_START } from "../journal/journal.ts";
import { createLocalJournal } from "../journal/drivers/local/local-journal.ts";
import { numberedBody } from "../journal/numbered-body.test.fixture.ts";
import { post, requestOf } from "./receiver.test.fixture.ts";

const program = fileURLToPath(new URL("receive-only.test.fixture.ts", import.meta.url));
const disk = new URL("../journal/crash-files.test.fixture.ts", import.meta.url).href;
const level = process.env["TEST_SCALE"] ?? "small";
const kills = level === "full" ? 10_000 : level === "ci" ? 20 : 4;

const POINTS = ["create", "write", "write", "sync", "sync", "syncFolder"].flatMap((call) => [
  `${call}:before`,
  `${call}:after`,
]);

/** One span whose attribute is the numbered body. */
function request(number: number): Uint8Array {
  const value = new WireWriter().bytes(7, numberedBody(number));
  const span = new WireWriter()
    .bytes(1, Buffer.alloc(16, 1))
    .bytes(2, Buffer.from([...Buffer.alloc(4, 1), ...Buffer.from(Uint32Array.of(number).buffer)]))
    .message(9, new WireWriter().string(1, "body").message(2, value));
  return requestOf([span]).finish();
}

interface Running {
  child: ChildProcess;
  url: string;
}

/** null: it was killed before it took anything. */
async function start(folder: string, files: string | null): Promise<Running | null> {
  const args = ["--conditions=@reenact/source", program, folder, "0", ...(files === null ? [] : [files])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await Promise.race([once(child.stdout, "data"), once(child, "exit")])) as [Buffer | number | null];
  return Buffer.isBuffer(line) ? { child, url: (JSON.parse(line.toString()) as { url: string }).url } : null;
}

test(
  `a collector is killed ${kills} times; what it answered with 200 is on disk, byte for byte, once`,
  { timeout: 36_000_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "kill-"));
    const acknowledged = new Set<number>();
    let next = 0;
    let died = 0;
    let answers = 0;
    const answered = Promise.withResolvers<void>();
    for (let kill = 0; kill < kills; kill++) {
      // by the clock; or in the middle of what the journal does, half of these with the un-synced writes lost
      const byClock = kill % 3 === 0;
      const plan = new URLSearchParams({
        point: POINTS[randomInt(POINTS.length)]!,
        count: String(randomInt(1, 6)),
        fate: kill % 2 === 0 ? "process" : "power-process",
        seed: String(randomInt(2 ** 31 - 1)),
      });
      const running = await start(folder, byClock ? null : `${disk}?${plan}`);
      if (!running) {
        died++;
        continue;
      }
      const { child, url } = running;
      const exited = once(child, "exit");
      let over = false;
      const sender = async () => {
        for (let count = 0; count < 20 && !over; count++) {
          const number = next++;
          try {
            const response = await post(url, request(number));
            if (response.status !== 200) continue;
            acknowledged.add(number);
            answers++;
            answered.resolve();
          } catch {
            over = true;
          }
        }
      };
      const sending = Promise.all([sender(), sender(), sender(), sender()]);
      if (byClock) {
        // a few kills on a busy machine might else judge nothing
        await Promise.race([answered.promise, sending]);
        await sleep(randomInt(5, 80));
        child.kill("SIGKILL");
      }
      await sending;
      if (over) died++;
      else child.kill("SIGKILL");
      await exited;
      if (kill % 20 === 19 || kill === kills - 1) await judge();
    }
    rmSync(folder, { recursive: true, force: true });
    process.stdout.write(`receiver: killed ${kills} times, ${died} of them under way; ${answers} answers\n`);
    expect(answers).toBeGreaterThan(0);

    async function judge(): Promise<void> {
      const journal = await createLocalJournal({ folder, minFreeBytes: 0 });
      await journal.close();
      const seen = new Set<number>();
      for await (const { body } of journal.read(JOURNAL_START)) {
        const [scanned] = scanTraces(body);
        const number = Number.parseInt(scanned!.spanId.slice(8).match(/../g)!.toReversed().join(""), 16);
        expect(seen.has(number), `${number} twice`).toBe(false);
        seen.add(number);
        expect(Buffer.from(request(number)).equals(body), `bytes of ${number}`).toBe(true);
        expect(decodeSpan(scanned!.span).spanId).toBe(scanned!.spanId);
      }
      for (const number of acknowledged) expect(seen.has(number), `${number} was answered with 200`).toBe(true);
      // what was judged need not be read again
      acknowledged.clear();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
