/** Asks the model, which makes the code that calls it a run. */
export async function model(content = "go") {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }] }),
  });
  return response.text();
}
