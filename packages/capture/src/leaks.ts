import { undoAll } from "./ambient/replace-method.ts";
import { watchAddons } from "./leaks/addons.ts";
import { watchChannels } from "./leaks/channels.ts";
import { watchFiles } from "./leaks/files.ts";
import { watchLookUps } from "./leaks/look-ups.ts";
import { watchProcesses } from "./leaks/processes.ts";
import { watchStandardInput } from "./leaks/standard-input.ts";
import { watchSockets } from "./leaks/sockets.ts";

let installed = false;

/** Counts, in the run's book, what goes past every seam: sockets, look-ups, datagrams, children, addons, files, standard input. */
export function installLeaks(): () => void {
  if (installed) return () => {};
  installed = true;
  return undoAll([
    watchSockets(),
    ...watchLookUps(),
    ...watchChannels(),
    ...watchProcesses(),
    ...watchFiles(),
    watchAddons(),
    ...watchStandardInput(),
    () => {
      installed = false;
    },
  ]);
}
