import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { controls, edits, type Suite } from "../edit.ts";

/** What lies in the folder before it starts. */
function layOut(folder: string): void {
  const write = (name: string, text: string): void => writeFileSync(join(folder, "in", name), text);
  mkdirSync(join(folder, "in/sub"), { recursive: true });
  mkdirSync(join(folder, "in/emptydir"));
  write("old.txt", "old");
  write("keep.txt", "keep this");
  write("long.txt", "0123456789");
  write("sub/a.txt", "a");
  write("log.txt", "first\n");
  symlinkSync("keep.txt", join(folder, "in/link"));
}

export const kindsOfFiles: Suite = {
  program: "kinds-of-files.mjs",
  prepare: layOut,
  edits: [
    ...edits(
      "files",
      [
        "no empty dir",
        null,
        "files-changed",
        ['fs.mkdirSync("out/empty", { recursive: true });', 'fs.mkdirSync("out", { recursive: true });'],
      ],
      ["other empty dir", null, "files-changed", ['"out/empty"', '"out/empty2"']],
      ["dir not removed", null, "files-changed", ['fs.rmdirSync("in/emptydir");', ""]],
      ["no symlink", null, "files-changed", ['fs.symlinkSync("keep.txt", "in/link2");', ""]],
      [
        "symlink target",
        null,
        "files-changed",
        ['symlinkSync("keep.txt", "in/link2")', 'symlinkSync("long.txt", "in/link2")'],
      ],
      [
        "file for symlink",
        null,
        "files-changed",
        ['fs.symlinkSync("keep.txt", "in/link2")', 'fs.writeFileSync("in/link2", "keep this")'],
      ],
      ["no hard link", null, "files-changed", ['fs.linkSync("in/keep.txt", "out/hard.txt");', ""]],
      ["truncate to 6", null, "files-changed", ["5);", "6);"]],
      ["no copy", null, "files-changed", ['fs.copyFileSync("in/keep.txt", "out/copy.txt");', ""]],
      [
        "copy other",
        null,
        "files-changed",
        ['fs.copyFileSync("in/keep.txt", "out/copy.txt")', 'fs.copyFileSync("in/log.txt", "out/copy.txt")'],
      ],
      ["no cp -r", null, "files-changed", ['fs.cpSync("in/sub", "out/sub", { recursive: true });', ""]],
      [
        "moved elsewhere",
        null,
        "files-changed",
        ['fs.renameSync("in/sub", "out/moved")', 'fs.renameSync("in/sub", "out/moved2")'],
      ],
      [
        "copied not moved",
        null,
        "files-changed",
        ['fs.renameSync("in/sub", "out/moved")', 'fs.cpSync("in/sub", "out/moved", { recursive: true })'],
      ],
      ["not removed", null, "files-changed", ['fs.rmSync("in/old.txt");', ""]],
      ["emptied not removed", null, "files-changed", ['fs.rmSync("in/old.txt")', 'fs.truncateSync("in/old.txt")']],
      [
        "log written over",
        null,
        "files-changed",
        ['appendFileSync("in/log.txt", "second', 'writeFileSync("in/log.txt", "second'],
      ],
      ["position", null, "files-changed", ['fs.writeSync(fd, "X", 1)', 'fs.writeSync(fd, "X", 2)']],
      [
        "ftruncateSync(fd, 3) -> ftruncateSync(fd, 2)",
        null,
        "files-changed",
        ["ftruncateSync(fd, 3)", "ftruncateSync(fd, 2)"],
      ],
      ["writev", null, "files-changed", ['" a"), Buffer.from(" b"', '" b"), Buffer.from(" a"']],
      ["fh.truncate(8) -> fh.truncate(9)", null, "files-changed", ["fh.truncate(8)", "fh.truncate(9)"]],
      ["iter", null, "files-changed", ['["one ", "two "]', '["two ", "one "]']],
      ['"p1", "p2" -> "p1", "p3"', null, "files-changed", ['"p1", "p2"', '"p1", "p3"']],
      ["zz -> zy", null, "files-changed", ["zz", "zy"]],
      ["stream", null, "files-changed", ['write("s1\\n")', 'write("s2\\n")']],
      ["[1, 2, 3] -> [1, 2, 4]", null, "files-changed", ["[1, 2, 3]", "[1, 2, 4]"]],
      [
        '"out/empty.txt", "" -> "out/empty.txt", " "',
        null,
        "files-changed",
        ['"out/empty.txt", ""', '"out/empty.txt", " "'],
      ],
      ["no empty file", null, "files-changed", ['fs.writeFileSync("out/empty.txt", "");', ""]],
      ["no touch", null, "files-changed", ['fs.closeSync(fs.openSync("out/touched", "w"));', ""]],
      [
        "truncates log by opening",
        null,
        "files-changed",
        ['openSync("out/touched", "w")', 'openSync("in/log.txt", "w")'],
      ],
      [
        "order of appends",
        null,
        "files-changed",
        [
          'await fsp.appendFile("out/multi.log", "l1\\n");\nawait fsp.appendFile("out/multi.log", "l2\\n");',
          'await fsp.appendFile("out/multi.log", "l2\\n");\nawait fsp.appendFile("out/multi.log", "l1\\n");',
        ],
      ],
      [
        "rewritten other",
        null,
        "files-changed",
        ['fs.writeFileSync("in/keep.txt", "keep this")', 'fs.writeFileSync("in/keep.txt", "keep thiS")'],
      ],
      ["in mkdtemp", null, "files-changed", ['"f"), "temp"', '"f"), "tamp"']],
      ["in mkdtemp name", null, "files-changed", ['"f"), "temp"', '"g"), "temp"']],
      ['"out/tmp-" -> "out/tmq-"', null, "files-changed", ['"out/tmp-"', '"out/tmq-"']],
      ["out/\u00fcn\u00ef.txt -> out/un\u00ef.txt", null, "files-changed", ["out/ünï.txt", "out/unï.txt"]],
      [
        '"out/last.txt", "after" -> "out/last.txt", "aftex"',
        null,
        "files-changed",
        ['"out/last.txt", "after"', '"out/last.txt", "aftex"'],
      ],
      ["link copied as file", null, "files-changed", ['cpSync("in/link"', 'copyFileSync("in/link"']],
      ['"utf16le" -> "utf8"', null, "files-changed", ['"utf16le"', '"utf8"']],
      ['"cb", r -> "cB", r', null, "files-changed", ['"cb", r', '"cB", r']],
      ["chdir", null, "files-changed", ['process.chdir("in");\nfs', "fs"]],
      ["link removed", 3, "error", ['fs.rmSync("in/old.txt");', 'fs.rmSync("in/old.txt"); fs.rmSync("in/link");']],
      [
        "at exit",
        null,
        "files-changed",
        ['console.log("done");', 'console.log("done"); process.on("exit", () => fs.writeFileSync("late.txt", "x"));'],
      ],
      ["removes own", null, "files-changed", ["await cb;", 'await cb; fs.rmSync("out/bin");']],
      [
        "new empty dirs",
        null,
        "files-changed",
        ["const cb =", 'fs.mkdirSync("out/newdir/x", { recursive: true }); const cb ='],
      ],
      ["dir removed", null, "files-changed", ["const cb =", 'fs.rmSync("out/moved", { recursive: true }); const cb =']],
      [
        "rename by case",
        null,
        "files-changed",
        ["const cb =", 'fs.renameSync("out/last.txt", "out/LAST.txt"); const cb ='],
      ],
    ),
  ],
  controls: controls([
    "writes that change nothing",
    ["const cb =", 'fs.writeFileSync("out/last.txt", "x"); fs.writeFileSync("out/last.txt", "after"); const cb ='],
  ]),
};
