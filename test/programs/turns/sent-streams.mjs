// Bodies that are sent as streams: what their sources read, draw and wait for is the program's own, at any pace.
import { createReadStream, readFile } from "node:fs";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { call, print, said } from "./model.mjs";

const url = `${process.env.PROVIDER_URL}/v1/chat/completions`;
const headers = { "content-type": "application/json" };
const encoder = new TextEncoder();

async function* telling(prompt) {
  said(`asked ${prompt}`);
  yield encoder.encode('{"model":"scn-ok","messages":[{"role":"user","content":"');
  await sleep(1 + Math.random() * 4);
  yield encoder.encode(`${prompt} ${Math.random()} ${Date.now()}`);
  yield encoder.encode('"}]}');
  said(`told ${prompt}`);
}

async function send(body) {
  const answer = await fetch(url, { method: "POST", headers, body, duplex: "half" });
  return (await answer.json()).choices?.[0]?.message.content ?? `status ${answer.status}`;
}

const file = () =>
  new Promise((resolve) => readFile(import.meta.filename, (_, bytes) => resolve(`file of ${bytes.length}`)));
async function* prefixed() {
  yield '{"model":"scn-ok","messages":[],"note":"';
  for await (const chunk of createReadStream(import.meta.filename, { highWaterMark: 200 })) yield chunk.toString("hex");
  yield '"}';
}

said(await call("before"));
for (const body of [telling("one"), Readable.from(telling("two")), Readable.toWeb(Readable.from(telling("three")))])
  said(await send(body));
const form = ReadableStream.from(telling("a request's"));
const request = new Request(url, { method: "POST", headers, body: form, duplex: "half" });
said((await (await fetch(request)).json()).choices[0].message.content);
said(
  await Promise.all([send(telling("four")), send(Readable.from(prefixed())), file(), send(telling("five")), file()]),
);
const broken = new ReadableStream({
  pull(controller) {
    controller.error(new RangeError(`gone ${Math.random()}`));
  },
});
said(await send(broken).catch((error) => `${error.message}: ${error.cause?.message}`));
const control = new AbortController();
const endless = ReadableStream.from(
  (async function* () {
    for (let n = 0; ; n++) {
      await sleep(5);
      if (n === 3) control.abort();
      yield encoder.encode(`${n}`);
    }
  })(),
);
said(
  await fetch(url, { method: "POST", body: endless, duplex: "half", signal: control.signal }).catch(({ name }) => name),
);
said(await call("after"));
print();
