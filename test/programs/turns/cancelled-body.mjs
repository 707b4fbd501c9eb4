// Gives streams up in the middle: the cancel is done at once, whatever the other side makes of it.
import { ask, hops, print, said } from "./model.mjs";

for (const length of [4, 12, 40]) {
  const response = await ask("long", { model: "scn-stream-slow", stream: true });
  const reader = response.body.getReader();
  said(`first ${(await reader.read()).value.length > 0}`);
  const cancelled = reader.cancel("enough").then(() => "cancelled");
  said(await Promise.race([cancelled, hops(length)]));
  said(`${(await reader.read()).done}`);
}
print();
