import type { Suite } from "./edit.ts";
import { asksPeople, ownServer, subAgents, twoAgents } from "./edits/agents.ts";
import { anthropicLoop, anthropicStream } from "./edits/anthropic.ts";
import { chatLoop } from "./edits/chat-loop.ts";
import { ends, keepsRows, writesFiles } from "./edits/effects.ts";
import { fanOut, workQueue } from "./edits/fan-outs.ts";
import { chatStreams, embeddings, responsesChain } from "./edits/openai.ts";
import { httpClients, ownApi, pathsLikeTelemetry } from "./edits/own-apis.ts";
import { secrets, tauChain } from "./edits/recorded.ts";
import { draws, patience } from "./edits/timing.ts";

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
  subAgents,
  twoAgents,
  ownServer,
  asksPeople,
  writesFiles,
  keepsRows,
  ends,
  draws,
  patience,
  tauChain,
  secrets,
];
