import net from "node:net";
import { expect, test } from "vitest";
import { isOwnAddress, isOwnPort, watchListening } from "./own-ports.ts";

test("ports on which the program listens are its own, as long as it does", async () => {
  let calls = 0;
  const undo = watchListening(() => calls++);
  expect(calls).toBe(0);
  const server = net.createServer();
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      expect(isOwnAddress((server.address() as net.AddressInfo).port)).toBe(true);
      resolve();
    }),
  );
  const { port } = server.address() as net.AddressInfo;
  expect([server.listenerCount("listening"), server.listenerCount("close")]).toEqual([0, 0]);
  expect(isOwnPort(new URL(`http://localhost:${port}/x`))).toBe(true);
  expect(isOwnPort(new URL(`http://[::1]:${port}/x`))).toBe(true);
  expect(isOwnPort(new URL(`http://example.com:${port}/x`))).toBe(false);
  expect(isOwnAddress(port + 1)).toBe(false);
  const second = net.createServer().listen(0);
  await new Promise((resolve) => second.once("listening", resolve));
  expect(calls).toBe(1);
  for (const s of [server, second]) await new Promise((resolve) => s.close(resolve));
  expect(isOwnAddress(port)).toBe(false);
  undo();
});
