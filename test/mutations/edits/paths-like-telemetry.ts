import { controls, edits, type Suite } from "../edit.ts";

export const pathsLikeTelemetry: Suite = {
  program: "paths-like-telemetry.mjs",
  edits: [
    ...edits(
      "telemetry-like paths",
      ["a body at /v1/traces", 1, "changed", ["amount: 12", "amount: 13"]],
      [
        "a field at /v1/traces",
        1,
        "changed",
        [`{ order: "A-1", amount: 12 }`, `{ order: "A-1", amount: 12, paid: true }`],
      ],
      ["inside gzip at /v1/logs", 2, "changed", ["opened the gate", "closed the gate"]],
      [
        "no gzip at /v1/logs",
        2,
        "changed",
        [
          `gzipSync(JSON.stringify({ entry: "opened the gate" })), { "content-encoding": "gzip" }`,
          `JSON.stringify({ entry: "opened the gate" })`,
        ],
      ],
      ["inside gzip at /runs/batch", 3, "changed", ["pay: 30", "pay: 31"]],
      ["a job more at /runs/batch", 3, "changed", ["{ job: 1, pay: 30 }", "{ job: 1, pay: 30 }, { job: 2, pay: 1 }"]],
      ["a row at an ingestion", 4, "changed", ["value: 5", "value: 6"]],
      ["a row's id at an ingestion", 4, "changed", [`id: "r1"`, `id: "r2"`]],
      ["a byte at /v1/metrics", 5, "changed", ["200, 7]", "201, 7]"]],
      ["bytes more at /v1/metrics", 5, "changed", ["200, 7]", "200, 7, 9]"]],
      ["a header at /v1/metrics", 5, "changed", [`"application/x-protobuf"`, `"application/octet-stream"`]],
      [
        "/v1/traces left out",
        1,
        ["missing", "changed"],
        [`await post("/v1/traces", JSON.stringify({ order: "A-1", amount: 12 }));\n`, ""],
      ],
      [
        "/runs/batch twice",
        4,
        ["extra", "changed", "exhausted", "reordered"],
        [`await post("/api/public`, `await post("/runs/batch", "{}").catch(() => {});\nawait post("/api/public`],
      ],
      ["a query at /v1/traces", 1, "changed", [`"/v1/traces"`, `"/v1/traces?dry=1"`]],
    ),
  ],
  controls: controls(
    ["order of keys at /v1/traces", [`{ order: "A-1", amount: 12 }`, `{ amount: 12, order: "A-1" }`]],
    [
      "another level of compression",
      [
        `gzipSync(JSON.stringify({ entry: "opened the gate" }))`,
        `gzipSync(JSON.stringify({ entry: "opened the gate" }), { level: 9 })`,
      ],
    ],
    ["bytes of another kind", ["Buffer.from([10,", "new Uint8Array([10,"]],
  ),
};
