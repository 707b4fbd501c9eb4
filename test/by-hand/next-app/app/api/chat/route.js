import OpenAI from "openai";

/** A route handler that asks a model. */
export async function POST(request) {
  const { message } = await request.json();
  const client = new OpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1`, apiKey: "sk-test" });
  const messages = [{ role: "user", content: message }];
  const { choices } = await client.chat.completions.create({ model: "scn-ok", messages });
  return Response.json({ answer: choices[0].message.content, at: Date.now() });
}
