// One model call, then streams of EVENTS: one whole, one of JSON lines, one that it gives up after its first event.
const { EVENTS, PROVIDER_URL } = process.env;
const response = await fetch(`${PROVIDER_URL}/v1/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    model: "echo-random",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "go" },
    ],
  }),
});
await response.json();
console.log((await (await fetch(`${EVENTS}/whole`)).text()).length);
console.log((await (await fetch(`${EVENTS}/lines`)).text()).length);
const controller = new AbortController();
const { body } = await fetch(`${EVENTS}/slow`, { signal: controller.signal });
const reader = body.getReader();
await reader.read();
controller.abort();
await reader.read().catch((error) => console.log(error.name));
