// A native resource that no seam opened (a zlib stream) is ready before a slow call answers.
import { Deflate } from "node:zlib";
import { call, print, said } from "./model.mjs";

function deflated(size) {
  return new Promise((resolve) => {
    const stream = new Deflate({ level: 9 });
    let bytes = 0;
    stream.on("data", (chunk) => (bytes += chunk.length));
    stream.on("end", () => resolve(bytes));
    stream.end(Buffer.alloc(size, "all work and no play "));
  });
}

for (let i = 0; i < 2; i++) {
  await Promise.all([
    deflated(2_000_000).then((n) => said(`deflated to ${n}`)),
    call(`slow ${i}`, { wait: 400 }).then(said),
  ]);
}
print();
