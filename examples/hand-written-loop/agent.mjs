// Its only tool calls an HTTP API: in a replay the tool's body runs, and that call is answered from the record.
import { converse } from "./loop.mjs";

const weather = {
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: async ({ city }) => {
    const response = await fetch(`${process.env.WEATHER_URL}/today?city=${encodeURIComponent(city)}`);
    const { sky, degrees } = await response.json();
    return `${city}: ${sky}, ${degrees} degrees`;
  },
};

const answer = await converse({
  system: "You plan picnics.",
  question: "Oslo or Lisbon today?",
  tools: { weather },
});
console.log(answer);
