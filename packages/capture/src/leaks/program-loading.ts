import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** An `import` of the module would run all its getters: 4 ms of an agent's start. */
const { getCallSites } = process.getBuiltinModule("node:util");

/** Build tools that load the program itself; what they read and start is no effect of the agent. */
const TOOLCHAIN =
  /[/\\]node_modules[/\\](?:\.pnpm[/\\][^/\\]+[/\\]node_modules[/\\])?(?:tsx|esbuild|@esbuild[/\\][^/\\]+|@swc[/\\]core|ts-node|jiti|get-tsconfig|source-map-support)[/\\]/;

const OURS = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether what happens now is done by Node's module loader or by a build tool: by the nearest frame that acts on its own. */
export function isLoadingProgram(): boolean {
  for (const { scriptName } of getCallSites(16)) {
    if (scriptName.includes(OURS)) continue;
    if (scriptName.startsWith("node:")) {
      if (scriptName.startsWith("node:internal/modules/")) return true;
      continue;
    }
    return TOOLCHAIN.test(scriptName);
  }
  return false;
}
