// A server of HTTP/2 without TLS that ends streams and connections in each way that there is. SECRETS: values that it says.
import { createServer } from "node:http2";

const [inHeader, inTrailer, inBody] = (process.env.SECRETS ?? "a,b,c").split(",");
const later = (fn) => setTimeout(fn, 15);
const text = { ":status": 200, "content-type": "text/plain" };

const PATHS = {
  "/hang": () => {},
  "/close": ({ session }) => session.destroy(),
  "/goaway": ({ session }) => session.goaway(2),
  "/refuse": (stream) => stream.close(7),
  "/continue": (stream) => {
    stream.additionalHeaders({ ":status": 100 });
    stream.resume().on("end", () => stream.respond({ ":status": 204 }, { endStream: true }));
  },
  "/empty": (stream) => stream.respond({ ":status": 204, "x-last": "1" }, { endStream: true }),
  "/half": (stream) => {
    stream.respond(text);
    stream.write("half");
    later(() => stream.close(2));
  },
  "/trailers": (stream) => {
    stream.respond(text, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", "x-contact": inTrailer }));
    stream.end("trailed");
  },
  "/long": (stream) => {
    stream.respond(text);
    stream.end("long ".repeat(60_000));
  },
  "/secret": (stream) => {
    stream.respond({ ...text, "x-contact": inHeader, "set-cookie": ["a=1", "b=2"] });
    const cut = Math.floor(inBody.length / 2);
    stream.write(`write to ${inBody.slice(0, cut)}`);
    later(() => stream.end(`${inBody.slice(cut)} soon`));
  },
};

const server = createServer();
server.on("sessionError", () => {});
server.on("stream", (stream, headers) => {
  stream.on("error", () => {});
  const own = PATHS[headers[":path"]];
  if (own !== undefined) return own(stream);
  let bytes = 0;
  stream.on("data", (chunk) => (bytes += chunk.length));
  stream.on("end", () => {
    stream.respond({ ...text, ":status": headers[":path"] === "/error" ? 500 : 200 });
    stream.write(`${bytes} bytes came; `);
    later(() => stream.end(`drawn ${process.hrtime.bigint()}`));
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
