import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openS3Store } from "./s3.ts";

test("a write that is answered with 404 may pass: no object can be missing", async () => {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === "GET") response.end("<VersioningConfiguration/>");
    else response.writeHead(404, { "content-type": "text/html" }).end("<html><body>default backend</body></html>");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { store, close } = await openS3Store({
    bucket: "runs",
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    pathStyle: true,
    credentials: { accessKeyId: "any", secretAccessKey: "any" },
  });
  try {
    await expect(store.put("v1/a", Buffer.from("a"))).rejects.toMatchObject({ code: "UNAVAILABLE", retryable: true });
    await expect(store.putIfAbsent("v1/a", Buffer.from("a"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  } finally {
    close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
