const { say, failing } = require("./program.cjs");

const hello = (model, content = "hello") => ({ model, messages: [{ role: "user", content }] });

/** Bytes that hold every value, also those that are no text. */
const everyByte = () => Uint8Array.from({ length: 512 }, (_, at) => at % 256);

async function upload({ client, toFile }) {
  const file = await toFile(everyByte(), "bytes.bin", { type: "application/octet-stream" });
  const stored = await client().files.create({ file, purpose: "user_data" });
  say("stored", [stored.id, stored.filename, stored.bytes, stored.purpose]);
  const lines = await toFile(Buffer.from('{"a":1}\n'), "lines.jsonl");
  const second = await client().files.create({ file: lines, purpose: "batch" });
  say("second", [second.id, second.filename, second.bytes, second.purpose]);
}

async function speech({ client }) {
  const answer = await client().audio.speech.create({ model: "scn-voice", voice: "ash", input: "hello" });
  const bytes = Buffer.from(await answer.arrayBuffer());
  say("type", answer.headers.get("content-type"));
  say("bytes", [bytes.length, bytes.subarray(0, 4).toString("latin1"), bytes.subarray(-12).toString("latin1")]);
  const streamed = await client().audio.speech.create({ model: "scn-voice", voice: "ash", input: "by parts" });
  let length = 0;
  for await (const part of streamed.body) length += part.length;
  say("by parts", length);
}

async function oddStatus({ client }) {
  for (const model of ["scn-odd-status", "scn-odd-reason"]) {
    const { data, response } = await client().chat.completions.create(hello(model)).withResponse();
    say(model, [response.status, response.statusText, response.ok, data.choices[0].message.content]);
  }
  const own = client({ maxRetries: 0 });
  await failing("600", () => own.chat.completions.create(hello("scn-status-600")));
  const raw = await fetch(`${own.baseURL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(hello("scn-status-600")),
  });
  say("raw 600", [raw.status, raw.statusText, raw.ok, raw.type, (await raw.clone().text()) === (await raw.text())]);
}

module.exports = { upload, speech, "odd-status": oddStatus };
