import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { type CollectorChild, startCollectorChild } from "./collector-child.ts";
import { bin, launch } from "./reenact.ts";
import { until } from "./running-collector.ts";

const PROGRAM = join(import.meta.dirname, "../programs/refund-desk.mjs");
const ALLOWED = ["--allow-live", "--max-cost", "0.50", "--prices", "prices.json"];

interface Answer {
  readonly error?: { readonly code: string; readonly message: string };
  readonly live?: { readonly limit: number; readonly left: number } | null;
  readonly plan?: {
    readonly id: string;
    readonly maxCost: number;
    readonly recipients: readonly { readonly host: string; readonly isAllowed: boolean }[];
  };
  readonly replay?: {
    readonly id: string;
    readonly state: string;
    readonly failure: string | null;
    readonly report: { readonly costUsd: number | null } | null;
  };
}

describe("live replays from the pages of reenact up", () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let project: string;
  let run: string;
  const command = [process.execPath, PROGRAM];

  beforeAll(async () => {
    provider = await startProvider();
    project = mkdtempSync(join(tmpdir(), "reenact-live-pages-"));
    writeFileSync(join(project, "prices.json"), '{"version":"1","models":{"echo-random":{"input":100,"output":100}}}');
    const record = [process.execPath, bin, "run", "--json-file", "facts.json", "--", ...command];
    await launch(record, { cwd: project, env: { PROVIDER_URL: provider.url } });
    ({ run } = JSON.parse(readFileSync(join(project, "facts.json"), "utf8")) as { run: string });
  }, 60_000);
  afterAll(async () => {
    await provider?.stop();
    rmSync(project, { recursive: true, force: true });
  });

  const up = (...flags: string[]): Promise<CollectorChild> =>
    startCollectorChild([bin, "up", "--json", "--port", "0", "--store", ".reenact", ...flags, "--", ...command], {
      cwd: project,
    });
  const requests = (): number => provider.log.filter(({ event }) => event === "request").length;

  /** Asks as the page of the printed link does, with other headers where they are given. */
  const asker =
    ({ http, replays }: CollectorChild) =>
    async (path: string, body: object | null, headers: Record<string, string> = {}) => {
      const token = /#token=(.+)$/.exec(replays ?? "")?.[1] ?? "";
      const response = await fetch(`${http}/api/v1/workbench${path}`, {
        method: body === null ? "GET" : "POST",
        headers: { "content-type": "application/json", "x-reenact-token": token, ...headers },
        ...(body !== null && { body: JSON.stringify(body) }),
      });
      return { status: response.status, ...((await response.json()) as Answer) };
    };

  test("nothing is sent unless the command line says so, whatever a page asks", async () => {
    const refused = async (...flags: string[]) =>
      (await launch([process.execPath, bin, "up", "--port", "0", ...flags], { cwd: project })).stderr;
    expect(await refused("--max-cost", "1", "--", ...command)).toMatch(/pages may send nothing.*REEN-USAGE/s);
    expect(await refused("--allow-live", "--", ...command)).toMatch(/without --max-cost.*REEN-USAGE/s);
    expect(await refused(...ALLOWED)).toMatch(/no command after --.*REEN-USAGE/s);
    const closed = await up();
    try {
      const ask = asker(closed);
      expect(await ask("", null)).toMatchObject({ live: null });
      expect(await ask("/plans", { run, fork: 1 })).toMatchObject({ status: 403, error: { code: "NO_LIVE" } });
      expect(await ask(`/plans/${"0".repeat(32)}/replay`, {})).toMatchObject({ status: 403 });
    } finally {
      await closed.stop();
    }
  });

  test("what is confirmed is what is sent, once, to the hosts that the command line names, up to its limit", async () => {
    const before = requests();
    const body = { run, fork: 1, edits: [{ what: "prompt", value: "Please refund B-18, @once." }] };
    const elsewhere = await up(...ALLOWED);
    try {
      const { plan } = await asker(elsewhere)("/plans", body);
      expect(plan?.recipients).toEqual([
        expect.objectContaining({ host: new URL(provider.url).host, isAllowed: false }),
      ]);
    } finally {
      await elsewhere.stop();
    }
    const open = await up(...ALLOWED, "--to", provider.url);
    try {
      const ask = asker(open);
      for (const headers of [
        { "x-reenact-token": "wrong" },
        { origin: "https://evil.example" },
        { "x-forwarded-for": "203.0.113.9" },
      ]) {
        expect((await ask("/plans", body, headers)).status).toBe(403);
        expect((await ask(`/plans/${"0".repeat(32)}/replay`, {}, headers)).status).toBe(403);
      }
      for (const bad of [
        { ...body, maxCost: 100 },
        { ...body, to: ["evil.example"] },
        { run, fork: "1; id" },
        { run, fork: 1, edits: [{ what: "params", name: "x=1 --to", value: "1" }] },
      ])
        expect((await ask("/plans", bad)).status).toBe(400);
      expect(await ask("/plans", { run, fork: 99 })).toMatchObject({ status: 409, error: { code: "BAD_PLAN" } });
      const { plan } = await ask("/plans", body);
      expect(plan).toMatchObject({
        maxCost: 0.5,
        recipients: [{ host: new URL(provider.url).host, isAllowed: true }],
        alsoAllowed: [new URL(provider.url).origin],
      });
      expect(requests()).toBe(before);

      const { replay } = await ask(`/plans/${plan!.id}/replay`, {});
      expect(await ask(`/plans/${plan!.id}/replay`, {})).toMatchObject({ status: 404, error: { code: "NO_PLAN" } });
      let last: Answer["replay"];
      await until("the replay has ended", async () => {
        last = (await ask(`/replays/${replay!.id}`, null)).replay;
        return last?.state === "ended";
      });
      expect(last).toMatchObject({ failure: null, report: { edited: 1, live: 1, stopped: null } });
      expect(requests()).toBe(before + 2);
      const asked = provider.log.flatMap((entry) => (entry.event === "request" ? [JSON.stringify(entry)] : []));
      expect(asked.some((line) => line.includes("B-18"))).toBe(true);
      const { live } = await ask("", null);
      expect(live?.left).toBeCloseTo(0.5 - (last?.report?.costUsd ?? 0.5), 6);
    } finally {
      await open.stop();
    }
  });
});
