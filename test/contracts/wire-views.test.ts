import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { digestRequest, parseJson } from "@reenact/envelope";
import { anthropic } from "@reenact/instrumentation-anthropic";
import { openai } from "@reenact/instrumentation-openai";
import { describe, expect, test } from "vitest";
import { checkOpenInference } from "./openinference.ts";

const FOLDER = join(import.meta.dirname, "../fixtures/wire");

interface Exchange {
  request: { method: string; url: string; body: string };
  response: { status: number; mime: string; body: string };
}

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length));

describe.each(names)("real exchange %s", (name) => {
  const seen = readExchange(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as Exchange);

  test("is read as its golden view says", () => {
    expect(seen).toEqual(JSON.parse(readFileSync(join(FOLDER, "views", `${name}.json`), "utf8")));
  });

  test("has a view that fits OpenInference", () => {
    const kind = seen.kind === "HTTP" ? "CHAIN" : seen.kind;
    expect(checkOpenInference({ "openinference.span.kind": kind, ...seen.view.attributes })).toEqual([]);
  });
});

function readExchange({ request, response }: Exchange) {
  const head = {
    method: request.method,
    url: new URL(request.url),
    headers: new Map<string, string>(),
    body: request.body,
  };
  const operation = openai.recognise(head) ?? anthropic.recognise(head);
  if (operation === null) throw new Error(`nobody recognises ${request.url}`);
  const answer = { status: response.status, mime: response.mime, text: response.body };
  const dimensions = operation.dimensions(parseJson(request.body));
  const assembled = response.mime === "text/event-stream" ? operation.assemble(response.body) : null;
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
    asks: operation.toolAsks(answer),
    assembled: assembled === null ? null : (JSON.parse(assembled) as unknown),
    view: operation.view({ url: request.url, text: request.body }, answer),
  };
}
