// Starts the scripted provider and the weather service, and prints the variables that the programs read.
import { startProvider } from "../scripted-provider/provider.ts";
import { script } from "./script.mjs";
import { startWeather } from "./weather-service.mjs";

const provider = await startProvider({ script });
const weather = await startWeather();
console.log(`export OPENAI_API_KEY=none OPENAI_BASE_URL=${provider.url}/v1 WEATHER_URL=${weather.url}`);

process.once("SIGTERM", () => process.exit(0));
process.once("SIGINT", () => process.exit(0));
