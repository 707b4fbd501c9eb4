import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { encodeTraces } from "@reenact/envelope";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Laptop } from "../e2e/laptop.ts";
import { Store } from "../e2e/reenact.ts";
import { requestOf, type RunningCollector, startCollector } from "../e2e/running-collector.ts";
import { startProvider } from "../provider/start-provider.ts";
import { missingPhoenix, type Phoenix, startPhoenix } from "./phoenix.ts";

const missing = missingPhoenix();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const program = (name: string) => [process.execPath, fileURLToPath(new URL(`../programs/${name}`, import.meta.url))];
const PROGRAMS = ["forwarded-desk.mjs", "concurrent-agents.mjs", "short-agent.mjs"];
/** What Phoenix changes of our attributes, measured: texts of JSON that it parses. They are views, no part of a record. */
const PARSED = /^(tool\.parameters|metadata|llm\.invocation_parameters|llm\.tools\.\d+\.tool\.json_schema)$/;

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("from Phoenix, where a collector has forwarded the full view", () => {
    const laptop = new Laptop();
    const production = new Store();
    const runs = new Map<string, { run: Envelope; all: Envelope[]; stdout: string }>();
    /** of which a step is sent only, or the view for people */
    const others = new Map<string, Envelope>();
    let phoenix: Phoenix;
    let collector: RunningCollector;
    let env: { PROVIDER_URL: string };
    let place: string;
    let key: Record<string, string>;

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      phoenix = await startPhoenix({ authentication: true });
      laptop.later(() => phoenix.stop());
      place = phoenix.url.replace("http://", "phoenix://");
      key = { PHOENIX_API_KEY: phoenix.authorization!.replace("Bearer ", "") };
      const provider = await startProvider();
      env = { PROVIDER_URL: provider.url };
      for (const name of PROGRAMS) {
        const { summary, stdout } = await production.run(program(name), { env });
        const all = summary.runs.map((id) => readEnvelope(readFileSync(production.path(id))));
        runs.set(name, { run: all[0]!, all, stdout });
      }
      for (const name of ["cut", "viewed"]) {
        const { summary } = await production.run(program("short-agent.mjs"), { env });
        others.set(name, readEnvelope(readFileSync(production.path(summary.run!))));
      }
      await provider.stop();
      const to = { url: phoenix.traces, headers: { authorization: phoenix.authorization! } };
      collector = await startCollector({ forward: [{ name: "full", project: "full", ...to }] });
      laptop.later(() => collector.stop());
      const sent = [...runs.values()].flatMap(({ all }) => all);
      for (const run of sent) await collector.send(requestOf(run));
      await phoenix.spans(
        "full",
        sent.reduce((sum, run) => sum + run.spans.length, 0),
      );
    }, 240_000);
    afterAll(async () => {
      await laptop.clean();
      production.remove();
    });

    test.each(PROGRAMS)("%s comes back with every attribute of its record, and replays identically", async (name) => {
      const { run, all, stdout } = runs.get(name)!;
      const here = laptop.folder();
      const link = `${place}/full/${run.manifest.traces[0]}`;
      const ended = await laptop.reenact(here, ["rehydrate", link, "--json"], key);
      expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: "" });
      const { runs: came } = JSON.parse(ended.stdout) as { runs: string[] };
      expect(came.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      const back = readEnvelope(readFileSync(`${here}/.reenact/runs/${run.id}.reenact`));
      expect(back.complete).toBe(true);
      const changed = new Set<string>();
      for (const { span } of run.spans) {
        const found = back.spans.find((each) => each.span.spanId === span.spanId)!.span;
        for (const [attribute, value] of Object.entries(span.attributes))
          if (JSON.stringify(found.attributes[attribute]) !== JSON.stringify(value)) changed.add(attribute);
        expect([found.name, found.parentSpanId, found.status]).toEqual([span.name, span.parentSpanId, span.status]);
      }
      console.log(`${name}: changed by Phoenix: ${[...changed].join(", ")}`);
      expect([...changed].filter((attribute) => !PARSED.test(attribute))).toEqual([]);
      const replay = await laptop.replay(here, [run.id.slice(0, 6)], program(name), env);
      expect(replay.report, replay.stderr).toMatchObject({
        // one program has a redacted value, and this machine has no key of the recording
        verdict: name === "forwarded-desk.mjs" ? "identical (1 value by place)" : "identical",
        sockets: 0,
        live: 0,
      });
      expect([replay.code, replay.stdout]).toEqual([0, stdout]);
    });

    test("a run of which a part is missing, or the record, is refused", async () => {
      const [cut, viewed] = [others.get("cut")!, others.get("viewed")!];
      const send = async (pieces: Uint8Array[]) => {
        const headers = {
          "content-type": "application/x-protobuf",
          authorization: phoenix.authorization!,
          "x-project-name": "parts",
        };
        const response = await fetch(phoenix.traces, { method: "POST", headers, body: Buffer.concat(pieces) });
        expect(response.status).toBe(200);
      };
      const whole = cut.spans.filter(({ record }) => record?.step !== 1);
      await send(whole.map(({ span, scanned }) => encodeTraces(span, scanned)));
      const forPeople = viewed.spans.map(({ span, scanned }) => {
        const kept = Object.entries(span.attributes).filter(([key]) => !/^reenact\.(?!run\.id$)/.test(key));
        return encodeTraces({ ...span, attributes: Object.fromEntries(kept) }, scanned);
      });
      await send(forPeople);
      await phoenix.spans("parts", whole.length + forPeople.length);

      const here = laptop.folder();
      const ask = (run: Envelope, ...flags: string[]) =>
        laptop.reenact(here, ["rehydrate", `${place}/parts/${run.id}`, ...flags], key);
      const damaged = await ask(cut);
      expect(damaged.stderr).toMatch(/is not whole: 1 of 2 steps missing: 1; .* \[REEN-DAMAGED\]\n$/);
      const people = await ask(viewed);
      expect(people.stderr).toMatch(/without its record\. Next: forward with view: full .* \[REEN-NOT-A-RUN\]\n$/);
      expect([damaged.code, people.code, existsSync(`${here}/.reenact`)]).toEqual([3, 3, false]);
      expect((await ask(cut, "--incomplete")).code).toBe(0);
      const { code, report } = await laptop.replay(here, [cut.id], program("short-agent.mjs"), env);
      // the step that is missing is asked for and refused: what it lacks never looks like a match
      expect([code, report.verdict, report.live]).toEqual([10, "diverged", 0]);
    });

    test("by the run's id, by replay itself, and what is refused", async () => {
      const { run } = runs.get("forwarded-desk.mjs")!;
      const link = `${place}/full/${run.id}`;
      const { code, report } = await laptop.replay(laptop.folder(), [link], program("forwarded-desk.mjs"), {
        ...env,
        ...key,
      });
      expect([code, report.verdict]).toEqual([0, "identical (1 value by place)"]);
      const ask = (at: string, given: Record<string, string> = key) =>
        laptop.reenact(laptop.folder(), ["rehydrate", at], given);
      for (const [ended, error, exit] of [
        [await ask(link, {}), "REEN-UNAUTHORISED", 4],
        [await ask(`${place}/none/${run.id}`), "REEN-NO-RUN", 3],
        [await ask(`${place}/full/${"0".repeat(32)}`), "REEN-NO-RUN", 3],
        [await ask(`${place}/full/beef`), "REEN-USAGE", 3],
        [await ask(`phoenix://127.0.0.1:1/full/${run.id}`), "REEN-SERVER", 5],
      ] as const) {
        expect(ended.stderr).toMatch(new RegExp(`^reenact: [^\\n]+\\. Next: [^\\n]+ \\[${error}\\]\\n$`));
        expect([ended.code, ended.stdout]).toEqual([exit, ""]);
      }
    });
  });
