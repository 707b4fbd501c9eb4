// A model call, then requests without a body: those of the variable REQUESTS, `METHOD /path` separated by commas, one
// after the other. Prints the status and path of each answer.
const { PROVIDER_URL, REQUESTS } = process.env;
await fetch(`${PROVIDER_URL}/v1/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hello" }] }),
}).then((response) => response.text());
for (const request of REQUESTS.split(",")) {
  const [method, path] = request.split(" ");
  const response = await fetch(`${PROVIDER_URL}${path}`, { method });
  await response.text();
  console.log(response.status, new URL(response.url).pathname);
}
