#!/usr/bin/env node
// Written so that any Node can read it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 15)) {
  const { main } = await import("../dist/main.js");
  process.exitCode = await main(process.argv.slice(2), process.env);
} else {
  process.stderr.write(
    `reenact-collector needs Node 22.15 or newer, this is ${process.versions.node}; next: update Node\n`,
  );
  process.exitCode = 3;
}
