import type { Suite } from "./edit.ts";
import { anthropicLoop, anthropicStream } from "./edits/anthropic.ts";
import { chatLoop } from "./edits/chat-loop.ts";
import { fanOut, workQueue } from "./edits/fan-outs.ts";
import { chatStreams, embeddings, responsesChain } from "./edits/openai.ts";
import { httpClients, ownApi, pathsLikeTelemetry } from "./edits/own-apis.ts";

export const suites: readonly Suite[] = [
  chatLoop,
  chatStreams,
  responsesChain,
  embeddings,
  anthropicLoop,
  anthropicStream,
  fanOut,
  workQueue,
  ownApi,
  httpClients,
  pathsLikeTelemetry,
];
