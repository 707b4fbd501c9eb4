import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import type { Place } from "./places.ts";

export interface Wiretap {
  readonly url: string;
  /** everything that came over this wire so far: heads, bodies as they came and inflated */
  places(): Place[];
  stop(): Promise<void>;
}

/** A wire to an HTTP server that keeps all that goes over it towards that server. `target`: root, without a slash. */
export async function startWiretap(name: string, target: () => string): Promise<Wiretap> {
  const seen: Place[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const body = Buffer.concat(pieces);
      const head = [incoming.method, incoming.url, ...incoming.rawHeaders].join("\n");
      const wire = `wire to ${name}, request ${seen.length}`;
      seen.push({ name: `${wire} (head)`, bytes: Buffer.from(head) }, { name: `${wire} (body)`, bytes: body });
      if (incoming.headers["content-encoding"] === "gzip")
        seen.push({ name: `${wire} (inflated)`, bytes: gunzipSync(body) });
      const { host: _, connection: __, ...headers } = incoming.headers;
      const onward = request(
        `${target()}${incoming.url}`,
        { method: incoming.method, headers: { ...headers, "content-length": body.length }, agent: false },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on("error", () => response.writeHead(502).end());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    places: () => seen,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
