#!/usr/bin/env node
// Committed as it is, since npm links no command whose file is missing, and written so that any Node can read it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

// compiled code is kept in a folder of Node's own: a quarter of a short command's time
const { enableCompileCache } = await import("node:module");
enableCompileCache?.();

if (major > 22 || (major === 22 && minor >= 15)) {
  const { main } = await import("../dist/index.js");
  process.exitCode = await main(process.argv.slice(2));
} else {
  const { onOldNode } = await import("./old-node.js");
  onOldNode(process.argv.slice(2));
}
