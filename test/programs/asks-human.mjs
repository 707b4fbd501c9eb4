// Asks a human twice between calls, and does what he says. `node asks-human.mjs [handler|flag]`: a handler answers
// instead of the terminal; the run is flagged, and says whom it is for.
import { flag, identify, input, instrument } from "@reenact/node";

const how = process.argv[2] ?? "";
if (how === "handler")
  instrument({ onInput: async (name, question) => ({ name, question, at: 7, approved: name === "approve" }) });

async function ask(content) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}

const plan = await ask("what shall we do?");
const approved = await input("approve", `Do it? (${plan.length > 0})`);
console.log(`approved: ${JSON.stringify(approved)}`);
console.log(await ask(`they said ${JSON.stringify(approved)}`));
if (how === "flag") {
  identify({ user: "ann@example.com", session: "talk-1", tags: ["vip"] });
  flag("looks wrong");
}
const name = await input("name", "Who are you?").catch((error) => error.message);
console.log(`name: ${JSON.stringify(name)}`);
console.log(await ask(`for ${JSON.stringify(name)}`));
