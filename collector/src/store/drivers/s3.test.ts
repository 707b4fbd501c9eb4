import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openS3Store } from "./s3.ts";

/** A store whose server answers each request with this status and body. */
async function answering(status: number, type: string, body: string) {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.includes("?versioning")) response.end("<VersioningConfiguration/>");
    else response.writeHead(status, { "content-type": type }).end(request.method === "HEAD" ? undefined : body);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const opened = await openS3Store({
    bucket: "runs",
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    pathStyle: true,
    credentials: { accessKeyId: "any", secretAccessKey: "any" },
  });
  return {
    store: opened.store,
    async close() {
      opened.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each([
  ["text/html", "<html><body>default backend</body></html>"],
  ["text/plain", ""],
  ["application/json", '{"error":"no route"}'],
])("404 of a proxy with %s %s may pass: only the store says that an object is missing", async (type, body) => {
  const { store, close } = await answering(404, type, body);
  const passing = { code: "UNAVAILABLE", retryable: true };
  try {
    await expect(store.put("v1/a", Buffer.from("a"))).rejects.toMatchObject(passing);
    await expect(store.putIfAbsent("v1/a", Buffer.from("a"))).rejects.toMatchObject(passing);
    await expect(store.getRange("v1/a", 0, 10)).rejects.toMatchObject(passing);
    await expect(store.head("v1/a")).rejects.toMatchObject(passing);
  } finally {
    await close();
  }
});

test("404 with NoSuchKey is of the store: the object is missing", async () => {
  const { store, close } = await answering(
    404,
    "application/xml",
    "<Error><Code>NoSuchKey</Code><Message>none</Message></Error>",
  );
  try {
    await expect(store.getRange("v1/a", 0, 10)).rejects.toMatchObject({ code: "NO_OBJECT", retryable: false });
    expect(await store.head("v1/a")).toBeNull();
    // no object can be missing of a write
    await expect(store.put("v1/a", Buffer.from("a"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  } finally {
    await close();
  }
});

test("200 with a page of a proxy may pass: nothing is stored, none is missing, and no list is empty", async () => {
  const { store, close } = await answering(200, "text/html", "<html><body><h1>We will be back</h1></body></html>");
  const passing = { code: "UNAVAILABLE", retryable: true };
  const listed = async () => {
    for await (const { key } of store.list("v1/")) return key;
    return null;
  };
  try {
    await expect(store.put("v1/a", Buffer.from("a"))).rejects.toMatchObject(passing);
    await expect(store.putIfAbsent("v1/a", Buffer.from("a"))).rejects.toMatchObject(passing);
    await expect(store.getRange("v1/a", 0, 10)).rejects.toMatchObject(passing);
    await expect(store.head("v1/a")).rejects.toMatchObject(passing);
    await expect(listed()).rejects.toMatchObject(passing);
  } finally {
    await close();
  }
});
