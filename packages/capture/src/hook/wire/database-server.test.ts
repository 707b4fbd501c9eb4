import { expect, test } from "vitest";
import { databaseServer } from "./database-server.ts";
import { outsideExchanges } from "./outside-exchanges.ts";

test("outside of every run requests are kept up to a bound, and none is read behind it", async () => {
  const server = databaseServer("made", { host: "127.0.0.1", port: 1 });
  const ask = (value: string) => server.call({ name: "GET", args: ["key"] }, () => Promise.resolve(value));
  expect(server.keeps()).toBe(true);
  expect(await ask("small")).toBe("small");
  expect(server.keeps()).toBe(true);
  const long = "x".repeat(300 * 1024);
  expect(await ask(long)).toBe(long);
  expect(server.keeps()).toBe(false);
  expect(await ask("later")).toBe("later");
  const key = 'made {"host":"127.0.0.1","port":1}';
  expect(outsideExchanges(key)).toEqual([{ name: "GET", args: ["key"], value: "small" }]);
  expect(databaseServer("made", { host: "127.0.0.1", port: 2 }).keeps()).toBe(true);
});
