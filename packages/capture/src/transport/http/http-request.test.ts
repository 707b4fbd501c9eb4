import { expect, test } from "vitest";
import { writtenAddress } from "./http-request.ts";

const written = (start: string, host: string) =>
  writtenAddress({ start, headers: [["Host", host]] }, "http://api.example.com/v1/chat");

test.each([
  ["as it was made", "POST /v1/chat HTTP/1.1", "POST", "http://api.example.com/v1/chat"],
  ["with two slashes", "POST //v1/chat HTTP/1.1", "POST", "http://api.example.com//v1/chat"],
  ["to a proxy", "POST http://other.example.com/v1?a=b HTTP/1.1", "POST", "http://other.example.com/v1?a=b"],
  ["with another method and path", "DELETE /v1/files HTTP/1.1", "DELETE", "http://api.example.com/v1/files"],
])("a head tells how a request goes out: %s", (_, start, method, url) => {
  expect(written(start, "api.example.com")).toEqual({ method, url });
});

test("an address that cannot be read is none that the request was made for", () => {
  expect(written("POST /v1/chat HTTP/1.1", "[").url).not.toBe("http://api.example.com/v1/chat");
});
