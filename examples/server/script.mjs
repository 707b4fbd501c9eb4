// What the model says to the server of this folder.

export function script({ api, turns, results, serial }) {
  if (api !== "chat") return undefined;
  if (turns === 0) return { calls: [{ name: "in_stock", args: { item: "lamp" } }] };
  return { text: `Yes: ${results.join(", ")} (${serial}).` };
}
