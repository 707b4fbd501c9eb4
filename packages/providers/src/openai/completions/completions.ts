import { filled, list, object, text } from "../../wire/json.ts";
import type { Message } from "../../view/message.ts";
import type { OperationSpec } from "../../operation.ts";
import { joinChatChunks } from "../chat/chunks.ts";
import { splitBy } from "../split.ts";
import { readUsage } from "../usage.ts";
import { chatMessage } from "../chat/request.ts";

/** The older text completions, and fill-in-the-middle of hosts that answer it in the form of a chat. */
export const completions: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "text_completion",
  dimensions: splitBy({ messages: "prompt" }),
  request(body) {
    const { prompt, ...parameters } = body;
    return { model: filled(body["model"]), parameters, messages: prompts(prompt).map((said) => plain("user", said)) };
  },
  response(body) {
    const choices = list(body["choices"]).map(object);
    return {
      id: filled(body["id"]),
      model: filled(body["model"]),
      fingerprint: filled(body["system_fingerprint"]),
      finish: choices.map((choice) => text(choice["finish_reason"])).filter((reason) => reason !== undefined),
      messages: choices.map((choice) => {
        const said = text(choice["text"]);
        return said === undefined
          ? chatMessage({ role: "assistant", ...object(choice["message"]) })
          : plain("assistant", said);
      }),
      usage: readUsage(body["usage"]),
    };
  },
  joined: joinChatChunks,
};

/** One text, several texts, one list of tokens or several. */
function prompts(prompt: unknown): string[] {
  if (typeof prompt === "string") return [prompt];
  const entries = list(prompt);
  if (typeof entries[0] === "number") return [`[${entries.length} tokens]`];
  return entries.map((entry) => text(entry) ?? `[${list(entry).length} tokens]`);
}

function plain(role: string, said: string): Message {
  return { role, parts: [{ type: "text", text: said }] };
}
