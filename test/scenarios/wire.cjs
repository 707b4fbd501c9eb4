// Chat completions as a program writes and reads them that has no SDK.

/** Base of the provider, with its version. */
function url() {
  return process.env.OPENAI_BASE_URL;
}

function hello(model, content = "hello") {
  return { model, messages: [{ role: "user", content }] };
}

function textOf(completion) {
  return completion.choices[0].message.content;
}

/** The texts of a streamed answer; `body` is anything that gives bytes. */
async function deltasOf(body) {
  const decoder = new TextDecoder();
  const deltas = [];
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines)
      if (line.startsWith("data: {")) deltas.push(JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? "");
  }
  return deltas;
}

module.exports = { deltasOf, hello, textOf, url };
