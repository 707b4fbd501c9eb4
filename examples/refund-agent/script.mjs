// What the model says. It reads the rows right and then names the wrong one: the slip that this example is about.

const TURNS = [
  ({ serial }) => ({
    text: `I look at both orders first (${serial}).`,
    calls: [
      { name: "get_order", args: { number: "A-1001" } },
      { name: "get_order", args: { number: "A-1002" } },
    ],
  }),
  () => ({
    text: "Same lamp, same price, two charges. Has the second parcel left?",
    calls: [{ name: "check_carrier", args: { number: "A-1002" } }],
  }),
  () => ({
    text: "The carrier is silent, but A-1002 is still being packed. I cancel it.",
    calls: [{ name: "delete_order", args: { row: 41, number: "A-1002" } }],
  }),
  ({ results, serial }) =>
    results[0]?.startsWith("deleted")
      ? { text: `Dear Dana, A-1002 is cancelled and $49.00 is on its way back to you. Refund ${serial}.` }
      : { text: `Dear Dana, a colleague will look at A-1002 today. Case ${serial}.` },
];

export function script(ask) {
  if (ask.api !== "chat") return undefined;
  if (ask.turns === 1 && ask.attempt === 0) {
    return {
      failure: { status: 429, type: "rate_limit_error", message: "too many requests" },
      headers: { "retry-after-ms": "150" },
    };
  }
  const turn = TURNS[Math.min(ask.turns, TURNS.length - 1)];
  return { ...turn(ask), pace: { first: 20, each: 3 } };
}
