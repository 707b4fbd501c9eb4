import { createServer } from "node:http";

/** What LangSmith's own server says of itself, so that its client batches as it does there. */
const LANGSMITH_INFO = {
  version: "0.12.0",
  batch_ingest_config: {
    use_multipart_endpoint: true,
    scale_up_qsize_trigger: 1000,
    scale_up_nthreads_limit: 16,
    scale_down_nempty_trigger: 4,
    size_limit: 100,
    size_limit_bytes: 20_971_520,
  },
};
const PATHS = /\/(traces|runs\/multipart|runs\/batch|envelope|logs3)\b/;

/** Takes what the exporters send, counts it by who sends it, and throws it away. Each gets an address of its own. */
export function startSink() {
  const servers = new Map();
  const bytes = new Map();
  const close = () => {
    for (const server of servers.values()) {
      server.closeAllConnections();
      server.close();
    }
  };
  async function open(name) {
    const server = createServer((request, response) => {
      request.on("data", (data) => {
        if (PATHS.test(request.url)) bytes.set(name, (bytes.get(name) ?? 0) + data.length);
      });
      request.once("end", () =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answerTo(request))),
      );
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.set(name, server);
  }
  return { open, url: (name) => urlOf(servers.get(name)), bytes: (name) => bytes.get(name) ?? 0, close };
}

function urlOf(server) {
  return `http://127.0.0.1:${server.address().port}`;
}

function answerTo({ url, headers }) {
  if (url === "/info") return LANGSMITH_INFO;
  // where Braintrust's client logs in it learns where to send
  if (url === "/api/apikey/login")
    return {
      org_info: [
        { id: "bench", name: "bench", api_url: `http://${headers.host}`, proxy_url: `http://${headers.host}` },
      ],
    };
  return {};
}
