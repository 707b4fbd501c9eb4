import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, test } from "vitest";

const module = pathToFileURL(join(import.meta.dirname, "serving-probe.ts")).href;

/** What a server prints which does `work` and is probed meanwhile. */
function probed(work: string): string[] {
  const program = `
    import { createServer } from "node:http";
    import { createConnection } from "node:net";
    import { gzip } from "node:zlib";
    import { ServingProbe } from ${JSON.stringify(module)};
    const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1", () => {
      process.on("beforeExit", () => console.log("beforeExit"));
      const probe = new ServingProbe(() => {
        clearInterval(clock);
        console.log("idle");
        // the server keeps the program running again
        const served = setTimeout(() => { console.log("serves"); process.exit(); }, 200);
        served.unref();
      });
      const clock = setInterval(() => probe.open(), 50);
      clock.unref();
      ${work}
    });`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@reenact/source", "--input-type=module", "-e", program],
    { encoding: "utf8", timeout: 50_000 },
  );
  return [...stdout.trim().split("\n"), ...(stderr === "" ? [] : [stderr])];
}

test.each([
  ["nothing", ""],
  ["a timer that keeps nothing running", `setTimeout(() => {}, 60_000).unref();`],
  ["a connection that is idle", `createConnection(server.address().port, "127.0.0.1").unref();`],
])("an event loop with a server and %s is empty, and the program goes on", (_, work) => {
  expect(probed(work)).toEqual(["idle", "serves"]);
});

test.each([
  ["a timer", `setTimeout(() => console.log("done"), 150);`],
  ["work of another thread", `gzip(Buffer.alloc(4e6), () => console.log("done"));`],
  [
    "a connection of its own",
    `createConnection(server.address().port, "127.0.0.1", function () {
      setTimeout(() => { this.destroy(); console.log("done"); }, 300).unref();
    });`,
  ],
  ["a file", `import("node:fs").then(({ readFile }) => readFile(process.execPath, () => console.log("done")));`],
])("%s is waited for", (_, work) => {
  expect(probed(work)).toEqual(["done", "idle", "serves"]);
});

test("a probe that is closed again changes nothing", () => {
  const work = `setTimeout(() => { clearInterval(clock); probe.close(); console.log(Object.hasOwn(process, "emit")); setTimeout(() => process.exit(), 100); }, 150);`;
  expect(probed(work)).toEqual(["false"]);
});
