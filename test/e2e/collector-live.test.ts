import { encodeTraces } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { afterEach, beforeAll, expect, test } from "vitest";
import { recordDesk, type RunningCollector, startCollector, until } from "./running-collector.ts";

interface Event {
  event: string;
  id?: string;
  data: { run?: { run: string; state: string } | string; step?: { id: string; n: number }; reason?: string };
}

let desk: Envelope;
beforeAll(async () => {
  desk = await recordDesk();
});

let collector: RunningCollector | null = null;
const watchers: AbortController[] = [];
afterEach(async () => {
  for (const watcher of watchers.splice(0)) watcher.abort();
  await collector?.stop();
  collector = null;
});

/** A page that watches; `events` grows as they come. */
async function watch(path: string, last?: string) {
  const stop = new AbortController();
  watchers.push(stop);
  const response = await fetch(`${collector!.address.http}/api/v1${path}`, {
    signal: stop.signal,
    headers: last === undefined ? {} : { "last-event-id": last },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const events: Event[] = [];
  const ended = (async () => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of response.body!) {
      text += decoder.decode(piece, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
        const event = field("event");
        const id = field("id");
        if (event !== undefined)
          events.push({ event, ...(id !== undefined && { id }), data: JSON.parse(field("data")!) as Event["data"] });
      }
    }
    return "ended" as const;
  })().catch(() => "broken" as const);
  return { events, ended, stop: () => stop.abort() };
}

const spansOf = (run: Envelope) => run.spans.map(({ span, scanned }) => ({ span, bytes: encodeTraces(span, scanned) }));
const copyOf = (run: string) =>
  Buffer.concat(
    desk.spans.map(({ span, scanned }) =>
      encodeTraces({ ...span, traceId: run, attributes: { ...span.attributes, "reenact.run.id": run } }, scanned),
    ),
  );
const runOf = ({ data }: Event) => (typeof data.run === "object" ? data.run : null);

test("a page that watches the list is told of runs as they open and are sealed, and of none twice when it comes again", async () => {
  collector = await startCollector();
  const page = await watch("/runs/events");
  await until("its first word", async () => page.events.some(({ event }) => event === "ready"));
  const spans = spansOf(desk);
  const root = spans.find(({ span }) => span === desk.root)!;
  await collector.send(Buffer.concat(spans.filter((each) => each !== root).map(({ bytes }) => bytes)));
  await until("the open run", async () => page.events.some((each) => runOf(each)?.state === "open"));
  await collector.send(root.bytes);
  await until("the sealed run", async () => page.events.some((each) => runOf(each)?.state === "sealed"));
  const last = page.events.at(-1)!.id!;
  page.stop();

  await collector.send(copyOf("a".repeat(32)));
  await until("the other run", async () => {
    const { runs } = await collector!.get<{ runs: { run: string; bytes: number }[] }>("/api/v1/runs");
    return runs.some(({ run, bytes }) => run.startsWith("aaaa") && bytes > 0);
  });
  const again = await watch("/runs/events", last);
  await until("what it has missed", async () => again.events.some((each) => runOf(each)?.run === "a".repeat(32)));
  expect(again.events.filter(({ event }) => event === "reset")).toEqual([]);
  expect(again.events.filter((each) => runOf(each)?.run === desk.id && runOf(each)?.state === "open")).toEqual([]);

  // a page whose browser cannot send the header names the place in the address
  const byAddress = await watch(`/runs/events?last=${last}`);
  await until("what it has missed", async () => byAddress.events.some((each) => runOf(each)?.run === "a".repeat(32)));
  expect(byAddress.events.some(({ event }) => event === "ready" || event === "reset")).toBe(false);

  const lost = await watch("/runs/events", "0123456789ab-7");
  await until("the word to read the list again", async () => lost.events[0]?.event === "reset");
});

test("a filter leaves out runs, and says when one fits no more; free text cannot be watched for", async () => {
  collector = await startCollector();
  const page = await watch("/runs/events?filter=status:ok");
  await until("its first word", async () => page.events.length > 0);
  await collector.send(Buffer.concat(spansOf(desk).map(({ bytes }) => bytes)));
  await until("the run is failed", async () =>
    page.events.some(({ event, data }) => event === "gone" && data.run === desk.id),
  );
  const refused = await fetch(`${collector.address.http}/api/v1/runs/events?filter=refund`);
  expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
    400,
    "BAD_FILTER",
  ]);
});

test("the steps of an open run come as they arrive, go on where a page left, and end when it is sealed", async () => {
  collector = await startCollector({ assemble: { settle: "1s" } });
  const spans = spansOf(desk);
  const root = spans.find(({ span }) => span === desk.root)!;
  const [first, second, ...rest] = spans.filter((each) => each !== root);
  await collector.send(Buffer.concat([first!.bytes, second!.bytes]));
  await until("the open run", async () => (await collector!.get<{ runs: unknown[] }>("/api/v1/runs")).runs.length > 0);
  const page = await watch(`/runs/${desk.id}/events`);
  const stepsOf = (events: readonly Event[]) => events.flatMap(({ data }) => (data.step ? [data.step.id] : []));
  await until("two steps", async () => stepsOf(page.events).length === 2);
  const last = page.events.findLast(({ event }) => event === "step")!.id!;
  page.stop();

  await collector.send(Buffer.concat(rest.map(({ bytes }) => bytes)));
  const again = await watch(`/runs/${desk.id}/events`, last);
  await until("the others", async () => stepsOf(again.events).length === rest.length);
  expect(new Set(stepsOf(again.events))).toEqual(new Set(rest.map(({ span }) => span.spanId)));
  const lost = await watch(`/runs/${desk.id}/events`, "2.0123456789ab");
  await until("all of it again", async () => stepsOf(lost.events).length === rest.length + 2);
  expect(lost.events[0]?.event).toBe("reset");

  await collector.send(root.bytes);
  expect(await again.ended).toBe("ended");
  expect(again.events.at(-1)).toMatchObject({ event: "sealed", data: { run: { run: desk.id, state: "sealed" } } });
  const late = await watch(`/runs/${desk.id}/events`, last);
  expect(await late.ended).toBe("ended");
  expect(late.events.map(({ event }) => event)).toEqual(["sealed"]);
});

test("streams end with the collector, and so many are open at most", async () => {
  collector = await startCollector();
  const pages = [];
  for (let n = 0; n < 200; n++) pages.push(await watch("/runs/events"));
  const refused = await fetch(`${collector.address.http}/api/v1/runs/events`);
  expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
    429,
    "TOO_MANY_STREAMS",
  ]);
  pages[0]!.stop();
  await until("room for another", async () => {
    const answer = await fetch(`${collector!.address.http}/api/v1/runs/events`, { signal: AbortSignal.timeout(2000) });
    await answer.body?.cancel();
    return answer.status === 200;
  });
  const stopped = collector.stop();
  for (const page of pages.slice(1)) expect(await page.ended).toBe("ended");
  await stopped;
  collector = null;
});
