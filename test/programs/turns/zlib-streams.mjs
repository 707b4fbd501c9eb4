// Streams of zlib beside calls, loops that count turns, and each other: what is ready first is chance.
import { once } from "node:events";
import { brotliCompressSync, createBrotliDecompress, createGunzip, createGzip, gzipSync } from "node:zlib";
import { call, counted, print, said } from "./model.mjs";

const text = Buffer.alloc(300_000, "all work and no play ");

async function through(name, stream, bytes) {
  stream.on("data", (chunk) => said(`${name} ${chunk.length}`));
  for (let at = 0; at < bytes.length; at += 4000) stream.write(bytes.subarray(at, at + 4000));
  stream.end();
  await once(stream, "end");
}

for (let i = 0; i < 3; i++) {
  await Promise.all([
    through("gzip", createGzip(), text),
    through("gunzip", createGunzip(), gzipSync(text)),
    through("brotli", createBrotliDecompress(), brotliCompressSync(text)),
    call(`beside ${i}`).then(said),
  ]);
  said(`rounds ${await counted(through("alone", createGzip({ chunkSize: 512 }), text.subarray(0, 20_000)))}`);
}
print();
