import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Dialect } from "@reenact/capture";
import { eventStreamText, isFramed } from "@reenact/capture/recorder";
import { digestRequest, parseJson } from "@reenact/envelope";
import { describe, expect, test } from "vitest";
import { LOADED } from "./load-provider.ts";
import { checkOpenInference } from "./openinference.ts";

const ROOT = join(import.meta.dirname, "../../packages/providers/src");

interface Exchange {
  request: { method: string; url: string; body: string };
  /** bytes of a framed stream are in base64 */
  response: { status: number; mime: string; body: string };
}

describe.each(LOADED)("recorded exchanges of $provider.name", ({ provider, dialect }) => {
  const folder = join(ROOT, provider.name, "fixtures");
  const names = globSync("*.json", { cwd: folder }).map((file) => basename(file, ".json"));

  test("are there, with a source and a licence each", () => {
    expect(names.length).toBeGreaterThan(0);
    const rows = readFileSync(join(folder, "FILES.tsv"), "utf8").trim().split("\n").slice(1);
    expect(rows.map((row) => row.split("\t")[0]).toSorted()).toEqual(names.map((name) => `${name}.json`).toSorted());
  });

  test.each(names)("%s is read as its golden view says, and the view fits OpenInference", (name) => {
    const seen = readExchange(dialect, JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Exchange);
    expect(seen).toEqual(JSON.parse(readFileSync(join(folder, "views", `${name}.json`), "utf8")));
    const kind = seen.kind === "HTTP" ? "CHAIN" : seen.kind;
    expect(checkOpenInference({ "openinference.span.kind": kind, ...seen.view.attributes })).toEqual([]);
  });
});

function readExchange(dialect: Dialect, { request, response }: Exchange) {
  const head = {
    method: request.method,
    url: new URL(request.url),
    headers: new Map<string, string>(),
    body: request.body,
  };
  const operation = dialect.recognise(head);
  if (operation === null) throw new Error(`nobody recognises ${request.url}`);
  const framed = isFramed(response.mime);
  const text = framed ? eventStreamText(Buffer.from(response.body, "base64")) : response.body;
  const answer = { status: response.status, mime: response.mime, text };
  const dimensions = operation.dimensions(parseJson(request.body));
  const streamed = framed || ["text/event-stream", "application/x-ndjson"].includes(response.mime);
  const assembled = streamed ? operation.assemble(text) : null;
  return {
    op: operation.op,
    kind: operation.kind,
    vendor: operation.vendor,
    dimensions: {
      model: dimensions.model ?? null,
      params: dimensions.params.map(({ key }) => key),
      unkeyed: dimensions.unkeyed.map(({ key }) => key),
      system: dimensions.system?.length ?? 0,
      tools: dimensions.tools?.length ?? 0,
      messages: dimensions.messages?.length ?? 0,
    },
    digests: digestRequest({ text: request.body, mime: "application/json" }, dimensions),
    asks: operation.toolCalls(answer),
    assembled: assembled === null ? null : (JSON.parse(assembled) as unknown),
    view: operation.view({ url: request.url, text: request.body }, answer),
  };
}
