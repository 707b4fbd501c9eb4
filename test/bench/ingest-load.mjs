// ingest-load.mjs <url> <body bytes> <gzip|plain> <connections> <seconds>: keeps so many connections busy with OTLP
// posts. Prints one JSON line: requests and bytes answered with 200, seconds, milliseconds of an answer.
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { otlpBody } from "./otlp-bodies.mjs";
import { quantile } from "./statistics.mjs";

const [url, size, packing, connections, seconds] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const raw = Array.from({ length: Number(size) > 500_000 ? 4 : 32 }, () => otlpBody(Number(size)));
const requests = raw.map((body) => {
  const packed = packing === "gzip" ? gzipSync(body) : body;
  const head = [
    "POST /v1/traces HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/x-protobuf",
    ...(packing === "gzip" ? ["Content-Encoding: gzip"] : []),
    `Content-Length: ${packed.length}`,
  ];
  return { bytes: Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), packed]), raw: body.length };
});

const times = [];
let sent = 0;
let bytes = 0;
const until = performance.now() + Number(seconds) * 1000;

function run() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let begun = 0;
    let current;
    socket.setNoDelay(true);
    const next = () => {
      if (performance.now() > until) {
        socket.destroy();
        resolve();
        return;
      }
      current = requests[sent++ % requests.length];
      begun = performance.now();
      socket.write(current.bytes);
    };
    socket.on("connect", next);
    socket.on("error", reject);
    // answers are small: one arrives whole, and nothing follows it before the next question
    socket.on("data", (answer) => {
      if (answer.toString("latin1", 9, 12) !== "200") return reject(new Error(answer.toString("latin1", 0, 200)));
      times.push(performance.now() - begun);
      bytes += current.raw;
      next();
    });
  });
}

const start = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, run));
process.stdout.write(
  `${JSON.stringify({
    requests: times.length,
    bytes,
    seconds: (performance.now() - start) / 1000,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  })}\n`,
);
