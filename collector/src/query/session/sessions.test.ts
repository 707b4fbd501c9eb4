import { expect, test } from "vitest";
import { sessionCookie, sessionIdOf } from "./session-cookie.ts";
import { createSessions, LINK_SECONDS, SESSION_SECONDS } from "./sessions.ts";

test("a session has its key until it is closed, or twelve hours are over", () => {
  let now = 0;
  const sessions = createSessions({ now: () => now });
  const [one, two] = [sessions.open("key-1"), sessions.open("key-2")];
  expect([sessions.keyOf(one), sessions.keyOf(two), sessions.keyOf("x")]).toEqual(["key-1", "key-2", null]);
  sessions.close(one);
  expect(sessions.keyOf(one)).toBeNull();
  now = SESSION_SECONDS * 1000 - 1;
  expect(sessions.keyOf(two)).toBe("key-2");
  now++;
  expect(sessions.keyOf(two)).toBeNull();
});

test("a login link opens one session, and none after ten minutes", () => {
  let now = 0;
  const sessions = createSessions({ now: () => now });
  const identity = { key: "login-link", tenant: "default", scopes: new Set(["read"] as const) };
  const [code, late] = [sessions.link(identity), sessions.link(identity)];
  now = LINK_SECONDS * 1000 - 1;
  expect(sessions.redeem("no such code")).toBeNull();
  const opened = sessions.redeem(code);
  expect(sessions.keyOf(opened!.id)).toEqual(identity);
  expect(sessions.keyOf(code)).toBeNull();
  expect(sessions.redeem(code)).toBeNull();
  now++;
  expect(sessions.redeem(late)).toBeNull();
  now += SESSION_SECONDS * 1000;
  expect(sessions.keyOf(opened!.id)).toBeNull();
});

test("the oldest session ends where there are too many", () => {
  const sessions = createSessions();
  const first = sessions.open("first");
  const others = Array.from({ length: 1000 }, (_, n) => sessions.open(`${n}`));
  expect(sessions.keyOf(first)).toBeNull();
  expect(others.every((id) => sessions.keyOf(id) !== null)).toBe(true);
});

const id = createSessions().open("key");
const cookie = (url: string, headers: Record<string, string> = {}) =>
  sessionCookie(new Request(url, { headers: { host: new URL(url).host, ...headers } }), id);

test("the cookie is out of reach of scripts and other sites, and of this collector alone", () => {
  expect(cookie("http://127.0.0.1:4318/api/v1/signin")).toBe(
    `reenact_session_4318=${id}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict`,
  );
  expect(cookie("https://runs.example/x")).toMatch(/^reenact_session=.*; Secure$/);
  expect(cookie("http://runs.example/x", { "x-forwarded-proto": "https" })).toMatch(/; Secure$/);
  expect(cookie("http://runs.example/x", { "x-forwarded-prefix": "/tools" })).toContain("; Path=/tools/;");
});

test("a session counts only in requests of a page of the same origin", () => {
  const from = (headers: Record<string, string>) =>
    sessionIdOf(new Headers({ host: "localhost:4318", cookie: `a=b; reenact_session_4318=${id}`, ...headers }));
  expect(from({})).toBe(id);
  expect(from({ "sec-fetch-site": "same-origin", origin: "http://localhost:4318" })).toBe(id);
  expect(from({ "sec-fetch-site": "none" })).toBe(id);
  // another port of the same host is the same site, and sends the cookie
  expect(from({ "sec-fetch-site": "same-site" })).toBeNull();
  expect(from({ "sec-fetch-site": "cross-site" })).toBeNull();
  expect(from({ origin: "http://localhost:3000" })).toBeNull();
  expect(from({ origin: "null" })).toBeNull();
  expect(from({ host: "localhost:4319" })).toBeNull();
  expect(from({ cookie: "reenact_session_4318=short" })).toBeNull();
});
