// What the model says to the two programs of this folder.

export function script({ api, lastUser, turns, results, serial }) {
  if (api !== "chat") return undefined;
  if (lastUser.startsWith("Oslo")) {
    if (turns > 0) return { text: `I heard ${results.join(" and ")}: go where it is warmer (${serial}).` };
    const cities = ["Oslo", "Lisbon"];
    return { calls: cities.map((city) => ({ name: "weather", args: { city } })) };
  }
  if (turns > 0) return { text: `I have ${results[0]} (${serial}).` };
  return { calls: [{ name: "write_note", args: { text: `picnic on Friday (${serial})` } }] };
}
