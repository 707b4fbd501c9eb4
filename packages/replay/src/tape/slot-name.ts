/** A slot for people: `openai.chat` for `openai.chat|4`, `tool:size` for `tool:size#0/tool:size|0`, the path kept where there is one. */
export function nameOfSlot(slot: string): string {
  return slot.replace(/\|\d+$/, "").replace(/(^|\/)(tool:[^/]*)#\d+\/\2$/, "$1$2");
}
