"use server";
import OpenAI from "openai";

/** A server action: asks a model for what the form has. */
export async function ask(form) {
  const client = new OpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1`, apiKey: "sk-test" });
  const messages = [{ role: "user", content: String(form.get("message")) }];
  const { choices } = await client.chat.completions.create({ model: "scn-ok", messages });
  return choices[0].message.content;
}
