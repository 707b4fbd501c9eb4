// Preload that must run first: it answers requests to the provider's address inside the process, so that the bench
// measures the recorder and not the network. All other requests go to the network. With BENCH_TRAFFIC it prints the number
// of bytes sent to standard error at exit, past the recorder's patches, because a replay does not load this file.
import { writeSync } from "node:fs";
import { answerTo } from "./answers.mjs";

const real = {
  fetch: globalThis.fetch,
  setTimeout: globalThis.setTimeout,
  setImmediate: globalThis.setImmediate,
  cpu: process.cpuUsage.bind(process),
};
/** milliseconds until an answer begins; a real model takes some hundred */
const LATENCY = Number(process.env.BENCH_LATENCY ?? 0);
/** Bodies as they would be on the wire. */
const traffic = { bytes: 0 };

globalThis[Symbol.for("reenact.bench")] = { ...real, traffic };
if (process.env.BENCH_TRAFFIC !== undefined) {
  const print = writeSync;
  process.on("exit", () => print(2, String(traffic.bytes)));
}

globalThis.fetch = async function fetch(input, init) {
  const url = String(input instanceof Request ? input.url : input);
  if (!url.startsWith("http://provider.test/")) return real.fetch(input, init);
  const body = init.body;
  traffic.bytes += Buffer.byteLength(body);
  await new Promise((resolve) => (LATENCY > 0 ? real.setTimeout(resolve, LATENCY) : real.setImmediate(resolve)));
  const { mime, pieces } = answerTo(
    JSON.parse(
      body
        .slice(-200)
        .match(/\[\[(.*?)\]\]/)[1]
        .replaceAll('\\"', '"'),
    ),
  );
  for (const piece of pieces) traffic.bytes += piece.length;
  return new Response(streamOf(pieces), {
    status: 200,
    headers: { "content-type": mime, "x-request-id": "req_bench" },
  });
};

/** Every piece in a turn of its own, as from a socket. */
function streamOf(pieces) {
  let next = 0;
  let dropped = false;
  return new ReadableStream({
    pull(controller) {
      return new Promise((resolve) =>
        real.setImmediate(() => {
          if (dropped) return;
          if (next < pieces.length) controller.enqueue(pieces[next++]);
          else controller.close();
          resolve();
        }),
      );
    },
    cancel() {
      dropped = true;
    },
  });
}
