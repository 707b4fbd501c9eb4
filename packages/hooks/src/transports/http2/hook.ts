import { syncBuiltinESMExports } from "node:module";
import { type Hook, watchHttp2 } from "@reenact/capture/hook";

const watched = new WeakSet<object>();

/** Records requests of `node:http2`, from the time when the agent loads that module: it is large, and few programs have it. */
export const http2: Hook = {
  name: "transports/http2",
  title: "requests of node:http2",
  builtin: "node:http2",
  keepsTimers: true,
  patch(module: Parameters<typeof watchHttp2>[0], undos) {
    if (watched.has(module)) return;
    watched.add(module);
    watchHttp2(module, undos);
    syncBuiltinESMExports();
    undos.push(() => {
      watched.delete(module);
      syncBuiltinESMExports();
    });
  },
};
