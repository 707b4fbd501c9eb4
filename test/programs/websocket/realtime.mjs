// A voice agent, unmodified: OpenAI's realtime clients over `ws` and over the global WebSocket, with a function call.
import OpenAI from "openai";
import { OpenAIRealtimeWebSocket } from "openai/realtime/websocket";
import { OpenAIRealtimeWS } from "openai/realtime/ws";

const client = new OpenAI({ baseURL: process.env.REALTIME_URL, apiKey: process.env.OPENAI_API_KEY });

for (const Realtime of [OpenAIRealtimeWS, OpenAIRealtimeWebSocket])
  await new Promise((resolve, reject) => {
    const realtime = new Realtime({ model: "gpt-realtime" }, client);
    realtime.on("error", reject);
    realtime.on("session.created", ({ session }) => {
      console.log("created", session.id);
      realtime.send({
        type: "session.update",
        session: { type: "realtime", instructions: `Be brief.${process.argv[2] ?? ""}` },
      });
      realtime.send({ type: "input_audio_buffer.append", audio: Buffer.alloc(3000, 7).toString("base64") });
      realtime.send({ type: "response.create" });
    });
    realtime.on("response.output_text.delta", ({ delta }) => console.log("delta", delta));
    realtime.on("response.done", ({ response }) => {
      const [call] = response.output;
      if (call === undefined) {
        console.log("done", response.usage.total_tokens);
        realtime.socket.addEventListener("close", ({ code }) => resolve(console.log("closed", code)));
        return realtime.close();
      }
      const output = JSON.stringify({ found: JSON.parse(call.arguments).order });
      realtime.send({
        type: "conversation.item.create",
        item: { type: "function_call_output", call_id: call.call_id, output },
      });
      realtime.send({ type: "response.create", response: { again: true } });
    });
  });
