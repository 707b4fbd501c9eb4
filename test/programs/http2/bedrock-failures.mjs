// Calls of Amazon Bedrock that fail, over both protocols: refused once, refused for good, timed out, broken off, ended by an event, aborted.
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
} from "@aws-sdk/client-bedrock-runtime";
import { NodeHttp2Handler, NodeHttpHandler } from "@smithy/node-http-handler";

const messages = [{ role: "user", content: [{ text: "Hello" }] }];
const failed = (error) =>
  `${error.name} ${error.$metadata?.httpStatusCode} ${error.$metadata?.attempts} ${error.message}`;

for (const [name, requestHandler] of [
  ["http2", new NodeHttp2Handler({ requestTimeout: 400 })],
  ["http", new NodeHttpHandler({ requestTimeout: 400, throwOnRequestTimeout: true })],
]) {
  const client = new BedrockRuntimeClient({
    region: "us-east-1",
    endpoint: process.env.PROVIDER_URL,
    credentials: { accessKeyId: process.env.ACCESS_KEY, secretAccessKey: "no-key", sessionToken: process.env.TOKEN },
    requestHandler,
  });
  const say = (what, text) => console.log(name, what, text);
  const send = (what, command, options) =>
    client.send(command, options).then(
      (answer) => say(what, answer.output?.message.content[0].text ?? answer.body?.length),
      (error) => say(what, failed(error)),
    );
  await send("refused once", new ConverseCommand({ modelId: "scn-429-then-ok", messages }));
  await send("refused", new ConverseCommand({ modelId: "scn-500x3", messages }));
  await send("invalid", new InvokeModelCommand({ modelId: "scn-400", body: JSON.stringify({ messages }) }));
  await send("aborted", new ConverseCommand({ modelId: "scn-slow", messages }), {
    abortSignal: AbortSignal.timeout(150),
  });
  await send("timed out", new InvokeModelCommand({ modelId: "scn-slow", body: JSON.stringify({ messages }) }));
  for (const modelId of ["scn-ok", "scn-cut", "scn-error-event"]) {
    let text = "";
    try {
      const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages }));
      for await (const { contentBlockDelta } of stream) text += contentBlockDelta?.delta.text ?? "";
    } catch (error) {
      text += ` ${failed(error)}`;
    }
    say(modelId, text);
  }
  const { stream } = await client.send(new ConverseStreamCommand({ modelId: "scn-stream-slow", messages }));
  for await (const { contentBlockDelta } of stream) if (contentBlockDelta !== undefined) break;
  say("left", "early");
  const parallel = ["a", "b", "c"].map((modelId) => client.send(new ConverseCommand({ modelId, messages })));
  for (const { output } of await Promise.all(parallel)) say("parallel", output.message.content[0].text);
  client.destroy();
}
