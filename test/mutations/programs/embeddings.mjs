// Looks for the nearest of some texts by their embeddings, then asks about it. steps: 1 batch · 2 one · 3 chat
import OpenAI from "openai";

const client = new OpenAI();
const texts = ["red shoes", "a green hat", "blue socks"];

const { data } = await client.embeddings.create({
  model: "text-embedding-3-small",
  input: texts,
  dimensions: 256,
  encoding_format: "float",
});
const query = await client.embeddings.create({ model: "text-embedding-3-small", input: "a hat", user: "shop" });
const dot = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0);
const scores = data.map(({ embedding }) => dot(embedding, query.data[0].embedding));
const best = scores.indexOf(Math.max(...scores));
console.log(best);
const answer = await client.chat.completions.create({
  model: "gpt-4.1-mini",
  messages: [{ role: "user", content: `Which is nearest? ${texts[best]} of ${texts.length}` }],
});
console.log(answer.choices[0].message.content);
