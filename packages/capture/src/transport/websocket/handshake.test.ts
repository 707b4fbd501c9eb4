import type { HeaderPairs } from "@reenact/envelope";
import { expect, it } from "vitest";
import { handshakeArgs, recordedHandshake, servedHeaders } from "./handshake.ts";
import { MessageReader } from "./message-reader.ts";

const asked = (protocols: string, query = ""): { url: URL; headers: HeaderPairs } => ({
  url: new URL(`ws://host/path${query}`),
  headers: [["Sec-WebSocket-Protocol", protocols]],
});

it.each([
  ["token, 0123456789abcdef0123456789abcdef01234567", ["token", "…"]],
  ["bearer, hunter2", ["bearer", "…"]],
  [
    "realtime, openai-insecure-api-key.sk-none, openai-beta.realtime-v1",
    ["realtime", "openai-insecure-api-key.…", "openai-beta.realtime-v1"],
  ],
  ["base64url.bearer.authorization.k8s.io.bXktc2VjcmV0LXRva2Vu", ["base64url.bearer.…"]],
  ["chat.v1, 0123456789abcdef0123456789abcdef01234567", ["chat.v1", "…"]],
  ["graphql-transport-ws, v4.channel.k8s.io, ocpp1.6", ["graphql-transport-ws", "v4.channel.k8s.io", "ocpp1.6"]],
])("records no credential of the subprotocols %s, and tells the program which one was taken", (offered, names) => {
  const request = asked(offered);
  expect(handshakeArgs(request)["protocols"]).toEqual(names);
  offered.split(", ").forEach((taken, i) => {
    const headers: HeaderPairs = [["Sec-WebSocket-Protocol", taken]];
    const live = { status: 101, reason: "", headers, socket: null, first: Buffer.alloc(0) };
    const recorded = recordedHandshake(live, request.headers);
    expect(recorded.headers).toEqual([["Sec-WebSocket-Protocol", names[i]]]);
    expect(servedHeaders(recorded, request.headers)).toEqual(headers);
  });
});

it("compares each value of a parameter, and leaves out credentials alone", () => {
  const { query } = handshakeArgs(asked("a", "?topic=a&topic=b&keyterm=k&max_tokens=3&api_key=K&accessToken=T&sig=S"));
  expect(query).toEqual({ topic: ["a", "b"], keyterm: "k", max_tokens: "3" });
});

it("has the bytes of a frame that is no message, once", () => {
  const reader = new MessageReader();
  const begun = Buffer.from([0x01, 0x01, 0x61]);
  const bad = Buffer.from([0x80, 0x01, 0xff]);
  expect([...reader.read(begun)]).toHaveLength(1);
  expect(() => [...reader.read(bad)]).toThrow();
  expect(reader.unsent).toEqual(bad);
  expect(reader.unread).toEqual(Buffer.concat([begun, bad]));
  const other = new MessageReader();
  const close = Buffer.from([0x88, 0x01, 0x03]);
  expect(() => [...other.read(close)]).toThrow();
  expect(other.unread).toEqual(close);
});
