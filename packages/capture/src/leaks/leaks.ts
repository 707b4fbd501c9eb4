import { undoAll } from "../patch/replace-method.ts";
import { watchAddons } from "./addons.ts";
import { watchChannels } from "./channels.ts";
import { watchFiles } from "./files.ts";
import { watchLookUps } from "./look-ups.ts";
import { watchParentProcess } from "./parent-process.ts";
import { watchStandardInput } from "./standard-input.ts";
import { watchSockets } from "./sockets.ts";

let installed = false;

/** Counts, in the run's `UnrecordedEffects`, what goes past every patch: sockets, look-ups, datagrams, parents, addons, files, standard input. */
export function installLeaks(): () => void {
  if (installed) return () => {};
  installed = true;
  return undoAll([
    watchSockets(),
    ...watchLookUps(),
    ...watchChannels(),
    ...watchParentProcess(),
    ...watchFiles(),
    watchAddons(),
    ...watchStandardInput(),
    () => {
      installed = false;
    },
  ]);
}
