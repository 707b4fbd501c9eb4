// What the model says to the agent of this folder.

export function script({ api, turns, results, serial }) {
  if (api !== "chat") return undefined;
  if (turns === 0) return { calls: [{ name: "cancel_order", args: { number: "A-1002" } }] };
  return { text: `Done: ${results.join(", ")} (${serial}).` };
}
