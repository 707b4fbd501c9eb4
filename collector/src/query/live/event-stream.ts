/** One server-sent event. `id` is what a client that comes again says it has. */
export interface LiveEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: unknown;
}

/** The source of one client's events. */
export interface EventSource {
  /** The next one; null: there will be no more. Is not called again before it has resolved. */
  next(): Promise<LiveEvent | null>;
  /** The client has gone, or the collector ends: what is waited for resolves with null. */
  end(): void;
}

/** A proxy, and a client, take a connection on which nothing comes for dead. Milliseconds. */
const HEARTBEAT = 15_000;
/** A client whose connection ended waits so long before it comes again. Milliseconds. */
const RETRY = 2000;

/** The streams that are open; all of them end with the collector. */
export interface EventStreams {
  /** null: so many are open that no more can be had */
  open(source: EventSource): Response | null;
  count(): number;
  /** Ends all, and every one that is opened later. */
  close(): void;
}

/** `most`: at a time, of all clients together. Nothing is taken from a source before its client has taken what came before. */
export function createEventStreams({ most = 200, heartbeatMs = HEARTBEAT } = {}): EventStreams {
  const sources = new Set<EventSource>();
  let closed = false;
  const encoder = new TextEncoder();

  function body(source: EventSource): ReadableStream<Uint8Array> {
    let waiting: Promise<LiveEvent | null> | null = null;
    const end = () => {
      sources.delete(source);
      source.end();
    };
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(encoder.encode(`retry: ${RETRY}\n\n`)),
        async pull(controller) {
          waiting ??= source.next();
          let timer: NodeJS.Timeout | undefined;
          const silence = new Promise<"silence">((resolve) => {
            timer = setTimeout(resolve, heartbeatMs, "silence").unref();
          });
          try {
            const event = await Promise.race([waiting, silence]);
            if (event === "silence") return controller.enqueue(encoder.encode(": alive\n\n"));
            waiting = null;
            if (event !== null) return controller.enqueue(encoder.encode(rendered(event)));
          } catch (error) {
            end();
            throw error;
          } finally {
            clearTimeout(timer);
          }
          end();
          controller.close();
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  }

  return {
    open(source) {
      if (closed) source.end();
      if (sources.size >= most) return null;
      sources.add(source);
      const headers = {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        // a proxy that gathers an answer would show nothing
        "x-accel-buffering": "no",
      };
      return new Response(body(source), { headers });
    },
    count: () => sources.size,
    close() {
      closed = true;
      for (const source of sources) source.end();
    },
  };
}

/** JSON has no line end of its own, so that no text of a run can begin an event. */
function rendered({ event, id, data }: LiveEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
