import { spawnSync } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const PROGRAM = `
const tap = globalThis.tapStdout?.(globalThis.plain);
const fs = await import("node:fs");
console.log("one é", 1);
process.stdout.write("two\\n");
process.stdout.write(Buffer.from("three\\n"));
process.stdout.write("666f7572", "hex");
fs.writeSync(1, "\\nfive\\n");
fs.default.writeSync(1, Buffer.from("xx six\\n"), 3);
console.error(process.stdout.write.name, process.stdout.write.length, Object.keys(process.stdout).includes("write"), fs.writeSync.name, fs.writeSync.length);
if (tap) console.error("digest " + tap.end().bytes);
`;
const SET_UP = `
import { syncBuiltinESMExports } from "node:module";
import { tapOutput } from ${JSON.stringify(new URL("./output-tap.ts", import.meta.url).href)};
globalThis.plain = { policy: "", rules: "", kid: "", addKnown() {}, scrub: (text) => ({ text, edits: [], counts: {} }) };
globalThis.tapStdout = (s) => { const tap = tapOutput({ scrubber: s, stream: "stdout" }); syncBuiltinESMExports(); return tap; };
`;

function run(tapped: boolean, stdout: "pipe" | "file"): { out: string; err: string } {
  const file = join(tmpdir(), `reenact-stdout-${process.pid}-${tapped}`);
  const args = ["--conditions=@reenact/source", "--input-type=module", "-e", (tapped ? SET_UP : "") + PROGRAM];
  const done = spawnSync(process.execPath, args, {
    stdio: ["ignore", stdout === "pipe" ? "pipe" : openSync(file, "w"), "pipe"],
    encoding: "utf8",
  });
  expect(done.status, done.stderr).toBe(0);
  return {
    out: stdout === "pipe" ? done.stdout : readFileSync(file, "utf8"),
    err: done.stderr.replace(/.*(Warning|trace-warnings).*\n/g, ""),
  };
}

test.each(["pipe", "file"] as const)("every way of writing is heard once, and looks as before (%s)", (stdout) => {
  const plain = run(false, stdout);
  const tapped = run(true, stdout);
  expect(tapped.out).toBe(plain.out);
  expect(plain.out).toBe("one é 1\ntwo\nthree\nfour\nfive\nsix\n");
  expect(tapped.err).toBe(`${plain.err}digest ${Buffer.byteLength(plain.out)}\n`);
});

test("standard output is not made before the program asks for it", () => {
  const code = `${SET_UP};
    const real = Object.getOwnPropertyDescriptor(process, "stdout");
    let made = 0;
    Object.defineProperty(process, "stdout", { ...real, get() { made++; return real.get.call(process); } });
    globalThis.tapStdout(globalThis.plain);
    console.error("made " + made);
    console.log("x");
    console.error("made " + (made > 0));`;
  const { stderr } = spawnSync(process.execPath, ["--conditions=@reenact/source", "--input-type=module", "-e", code], {
    encoding: "utf8",
  });
  expect(stderr).toContain("made 0\nmade true\n");
});

test("a program without an agentic step prints as much as it likes, and nothing of it is scanned", () => {
  const code = `
    import { tapOutput } from ${JSON.stringify(new URL("./output-tap.ts", import.meta.url).href)};
    let scanned = 0;
    const scrubber = { policy: "", rules: "", kid: "", addKnown() {}, scrub: (text) => (scanned++, { text, edits: [], counts: {} }) };
    const tap = tapOutput({ scrubber, stream: "stdout", processRun: () => ({ isActive: false }) });
    const line = "x".repeat(1023) + "\\n";
    for (let n = 0; n < 2000; n++) process.stdout.write(line);
    console.error(JSON.stringify({ scanned, end: tap.end() }));`;
  const args = ["--conditions=@reenact/source", "--input-type=module", "-e", code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1e8 });
  expect(stdout).toHaveLength(2000 * 1024);
  expect(stderr.split("\n")).toContain('{"scanned":0,"end":null}');
});
