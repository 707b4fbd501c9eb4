import { controls, edits, type Suite } from "../edit.ts";

export const httpClients: Suite = {
  program: "http-clients.mjs",
  edits: [
    ...edits(
      "bodies",
      ["of axios", 1, "changed", [`kind: "first", n: 1`, `kind: "first", n: 2`]],
      ["of got", 2, "changed", [`kind: "second"`, `kind: "other"`]],
      ["of node-fetch", 3, "changed", [`body: "third"`, `body: "thirds"`]],
      ["of node:http", 4, "changed", [`call.end("fourth")`, `call.end("fourth!")`]],
      ["of node:http in two parts", 4, "changed", [`call.end("fourth")`, `call.write("four");\n  call.end("ths")`]],
      ["of a form", 5, "changed", [`city: "Bern"`, `city: "Basel"`]],
    ),
    ...edits(
      "URL",
      ["query of axios", 1, "changed", ["page: 2", "page: 3"]],
      ["query of got", 2, "changed", [`q: "ships"`, `q: "boats"`]],
      ["query of node:http", 4, "changed", ["/http?x=1", "/http?x=2"]],
      ["path of node-fetch", 3, ["changed", "missing", "extra"], ["/node-fetch`", "/node-fetch/x`"]],
      ["method of got", 2, ["changed", "missing", "extra"], ["got.put(", "got.post("]],
      [
        "method of node:http",
        4,
        ["changed", "missing", "extra", "exhausted"],
        [`x=1\`, { method: "POST"`, `x=1\`, { method: "PUT"`],
      ],
    ),
    ...edits(
      "headers",
      ["of axios", 1, "changed", [`"x-team": "red"`, `"x-team": "blue"`]],
      ["of axios removed", 1, "changed", [`, headers: { "x-team": "red" }`, ""]],
      [
        "of got added",
        2,
        "changed",
        [`searchParams: { q: "ships" }`, `searchParams: { q: "ships" }, headers: { "x-team": "red" }`],
      ],
      ["key of node-fetch", 3, "changed", ["key-one", "key-two"]],
      ["key of node-fetch removed", 3, "changed", [`, headers: { "x-api-key": "key-one" }`, ""]],
      [
        "of node:http",
        4,
        "changed",
        [`"content-type": "text/plain" }`, `"content-type": "text/plain", "x-lane": "2" }`],
      ],
      ["content type of node:http", 4, "changed", [`"text/plain"`, `"text/csv"`]],
      [
        "bearer of axios",
        5,
        "changed",
        [
          `new URLSearchParams({ city: "Bern" }))`,
          `new URLSearchParams({ city: "Bern" }), { headers: { authorization: "Bearer t" } })`,
        ],
      ],
    ),
    ...edits(
      "delays and time-outs",
      [
        "of axios",
        [1, null],
        ["delay-changed", "changed"],
        ["params: { page: 2 }", "params: { page: 2 }, timeout: 5_000"],
      ],
      [
        "of got",
        // got sets its timer as it hands the request over, before the next step
        [2, 3, null],
        ["delay-changed", "changed"],
        [`json: { kind: "second" }`, `json: { kind: "second" }, timeout: { request: 5_000 }`],
      ],
      [
        "of node:http",
        [4, null],
        ["delay-changed", "changed"],
        [
          `{ method: "POST", headers: { "content-type": "text/plain" } }`,
          `{ method: "POST", timeout: 4_000, headers: { "content-type": "text/plain" } }`,
        ],
      ],
    ),
    ...edits(
      "calls added, removed, moved",
      [
        "got left out",
        2,
        "missing",
        [
          `await got.put(\`\${base}/got\`, { json: { kind: "second" }, searchParams: { q: "ships" } }).json()`,
          `{ path: "/got?q=ships" }`,
        ],
      ],
      [
        "axios twice",
        2,
        ["extra", "changed", "reordered"],
        ["const g =", "await axios.get(`${base}/axios`).catch(() => {});\nconst g ="],
      ],
    ),
    ...edits(
      "results not waited for",
      [
        "the body of node:http",
        [4, 5],
        ["unfinished", "changed", "order", "reordered"],
        ["text(answer).then((body) => resolve(JSON.parse(body)), reject);", 'resolve({ path: "/http?x=1" });'],
      ],
      [
        "the answer of a form",
        [5, 6],
        ["unfinished", "order", "changed", "reordered"],
        ["const form = await axios.post(", 'const form = { data: { path: "/form" } };\nvoid axios.post('],
      ],
    ),
    ...edits("model", ["of axios", 6, "params", [`model: "gpt-4.1"`, `model: "gpt-4.1-mini"`]]),
    ...edits("user message", ["of axios", 6, "changed", ["[a.data, g, fetched", "[g, a.data, fetched"]]),
  ],
  controls: controls(
    ["an instance of axios", ["const a = await axios.post(", "const api = axios.create();\nconst a = await api.post("]],
    ["a search string", [`searchParams: { q: "ships" }`, `searchParams: "q=ships"`]],
    ["a write before the end", [`call.end("fourth")`, `call.write("fourth");\n  call.end()`]],
    [
      "the length set by hand",
      [`"content-type": "text/plain" }`, `"content-type": "text/plain", "content-length": 6 }`],
    ],
    ["order of keys", [`{ kind: "first", n: 1 }`, `{ n: 1, kind: "first" }`]],
  ),
};
