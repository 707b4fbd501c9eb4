/** What the model says to the programs of this folder: it asks for a refund, then repeats what the tool said. */
export const script = ({ results, serial }) =>
  results.length === 0
    ? { calls: [{ name: "refund", args: { order: "A-77", cents: 4200 } }] }
    : { text: `${results.join()} (${serial})` };
