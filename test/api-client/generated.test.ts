import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "@reenact/collector";
import { expect, test } from "vitest";
import { type ApiDocument, CLIENTS, clientSource, ROOT } from "./client-source.ts";

const document = openApi("0") as unknown as ApiDocument;

test.each(CLIENTS)("%s is the client that the API's document gives: else `npm run api-client`", (path) => {
  expect(readFileSync(join(ROOT, path), "utf8")).toBe(clientSource(document));
});

test("a schema that has no type here is refused, not passed over", () => {
  const schemas = { Odd: { not: {} } as object };
  expect(() => clientSource({ paths: {}, components: { schemas } })).toThrow("no type for");
});
