// What the model says to the agent of this folder.

export function script({ api, serial }) {
  return api === "chat" ? { text: `I write to dana.whitfield@example.com today (${serial}).` } : undefined;
}
