// One model call; then the time zone of the process and a number in the form of its locale.
const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "what time is it?" }] }),
});
await response.json();
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
console.log(timeZone, (1234.5).toLocaleString());
