import { createServer } from "node:http";
import { once } from "node:events";

const SKIES = ["clear", "cloudy", "rain"];

/** A weather service on loopback; no two of its answers are the same. */
export async function startWeather(port = 0) {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url, "http://localhost");
    const degrees = Number((Math.random() * 30).toFixed(4));
    const sky = SKIES[Math.floor(Math.random() * SKIES.length)];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ city: searchParams.get("city"), sky, degrees }));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}`, server };
}
