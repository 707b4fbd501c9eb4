// One model call, the model named by the variable MODEL, the question by QUESTION.
const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    model: process.env.MODEL ?? "echo-random",
    messages: [{ role: "user", content: process.env.QUESTION ?? "nothing" }],
  }),
});
console.log((await response.json()).choices[0].message.content);
