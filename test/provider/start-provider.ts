import { startProvider as start, type Provider } from "../../examples/scripted-provider/provider.ts";
import { behave } from "./behaviours.ts";

/** A provider with every behaviour of `behaviours.ts`, in this process. Port 0 takes a free one. */
export async function startProvider(options: { port?: number; log?: string } = {}): Promise<Provider> {
  return start({ ...options, script: behave });
}
