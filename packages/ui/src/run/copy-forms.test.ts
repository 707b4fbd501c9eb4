import { expect, test } from "vitest";
import { curlOf } from "./copy-forms.ts";

const line = (method: string, url: string) =>
  curlOf({ method, url, requestHeaders: [["accept", "it's"]] } as unknown as Parameters<typeof curlOf>[0], "");

test("an address is one address for curl, whatever the record has there", () => {
  expect(line("GET", "https://api.example/orders?ids=[1-3]&of={a,b}")).toBe(
    `curl -g -X GET --url 'https://api.example/orders?ids=[1-3]&of={a,b}' \\\n  -H 'accept: it'\\''s'`,
  );
  // no option of curl that would write a file
  expect(line("GET", "--output=/tmp/file")).toContain("--url --output=/tmp/file");
});
