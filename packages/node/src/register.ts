// Read by any Node from 18 on: nothing newer may be imported, or written, before the version is known.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 15)) {
  try {
    const { readConfig } = await import("./config.ts");
    if (!readConfig().config.disabled) (await import("./instrument.ts")).register();
  } catch (error) {
    await say(`the recorder could not be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
} else await say(`Node ${process.versions.node} is too old to record: install Node 22.15 or newer`);

async function say(what: string): Promise<void> {
  const { writeSync } = await import("node:fs");
  try {
    writeSync(2, `reenact: ${what}; the agent runs untouched\n`);
  } catch {
    // a closed descriptor must not reach the agent
  }
}

export {};
