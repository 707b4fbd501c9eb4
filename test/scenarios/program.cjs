// The frame of a scenario program: runs one scenario and prints what an agent would see of it.
const { writeFileSync } = require("node:fs");

/** One line of output; the port of the provider never shows. */
function say(label, value) {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
  process.stdout.write(`${label}: ${text.replace(/127\.0\.0\.1:\d+/g, "provider")}\n`);
}

/** What an agent can learn from an error: classes, codes, and the beginning of the provider's own words. */
function described(error) {
  if (!(error instanceof Error)) return { thrown: String(error) };
  const { status, code, type, requestID } = error;
  const causes = [];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    causes.push([cause.constructor.name, cause.name, cause.code ?? null].join(" "));
  }
  return {
    class: error.constructor.name,
    name: error.name,
    message: error.message.slice(0, 60),
    status,
    code,
    type,
    requestID,
    causes,
  };
}

/** Runs something that is to fail, and prints how it did. */
async function failing(label, action) {
  try {
    say(`${label} succeeded`, await action());
  } catch (error) {
    say(label, described(error));
  }
}

/** A random number in the form that a test knows how to mask. */
function chance() {
  return `r${String(Math.floor(Math.random() * 1e6)).padStart(6, "0")}`;
}

/** Counts of the process's listeners, for the file named by SCENARIO_FACTS. */
function writeFacts() {
  const file = process.env.SCENARIO_FACTS;
  if (file === undefined) return;
  const listeners = Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]));
  writeFileSync(file, JSON.stringify({ listeners }));
}

/** Runs the scenario named on the command line. An unknown name ends with 2. */
async function main(scenarios, sdk) {
  const unhandled = [];
  process.on("unhandledRejection", (reason) => unhandled.push(JSON.stringify(described(reason))));
  const name = process.argv[2];
  const scenario = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined;
  if (scenario === undefined) {
    process.stderr.write(`no scenario ${name}; there are ${Object.keys(scenarios).join(", ")}\n`);
    process.exitCode = 2;
    return;
  }
  try {
    await scenario(sdk);
  } catch (error) {
    say("scenario failed", { ...described(error), stack: error.stack });
    process.exitCode = 1;
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  for (const reason of unhandled.toSorted()) say("unhandled rejection", reason);
  say("unhandled rejections", unhandled.length);
  writeFacts();
}

/** `tool` of the recorder where it is installed and built, else the function as it is. */
async function toolOf(load) {
  try {
    const { tool } = await load();
    if (typeof tool === "function") return tool;
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND" && error.code !== "MODULE_NOT_FOUND") throw error;
  }
  return (_name, fn) => fn;
}

module.exports = { main, say, described, chance, failing, toolOf };
