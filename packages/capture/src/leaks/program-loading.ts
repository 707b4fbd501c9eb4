import { isOurs } from "../patch/caller-frames.ts";

/** An `import` of the module would run all its getters: 4 ms of an agent's start. */
const { getCallSites } = process.getBuiltinModule("node:util");

/** Build tools that load the program itself; what they read and start is no effect of the agent. */
const TOOLCHAIN =
  /[/\\]node_modules[/\\](?:\.pnpm[/\\][^/\\]+[/\\]node_modules[/\\])?(?:tsx|esbuild|@esbuild[/\\][^/\\]+|@swc[/\\]core|ts-node|jiti|get-tsconfig|source-map-support)[/\\]/;

/** Only where one was asked for on the command line does every operation have to be looked at. */
const TOOLED = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].some((option) =>
  /\b(tsx|ts-node|jiti|swc|esbuild)/.test(option),
);

/** Whether what happens now is done by Node's module loader or by a build tool: by the nearest frame that acts on its own. */
export function isLoadingProgram(): boolean {
  for (const { scriptName } of getCallSites(16)) {
    if (isOurs(scriptName)) continue;
    if (scriptName.startsWith("node:")) {
      if (scriptName.startsWith("node:internal/modules/")) return true;
      continue;
    }
    return TOOLCHAIN.test(scriptName);
  }
  return false;
}

/** Whether a build tool does it for itself: its caches and channels differ from run to run, and do not belong to the agent. */
export function isToolchain(): boolean {
  if (!TOOLED) return false;
  const nearest = getCallSites(24).find(({ scriptName }) => !scriptName.startsWith("node:") && !isOurs(scriptName));
  return nearest !== undefined && TOOLCHAIN.test(nearest.scriptName);
}
