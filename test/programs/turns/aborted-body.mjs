// Aborts streams while they are read: the reader hears of it at once, in the turn of the abort.
import { ask, hops, print, said } from "./model.mjs";

for (const length of [6, 20, 60]) {
  const stop = new AbortController();
  const response = await ask("long", { model: "scn-stream-slow", stream: true, signal: stop.signal });
  const reader = response.body.getReader();
  said(`first ${(await reader.read()).value.length > 0}`);
  const next = reader.read().catch((error) => error.message);
  stop.abort(new Error("enough"));
  said(await Promise.race([next, hops(length)]));
}
print();
