import type { Suite } from "./edit.ts";
import { anthropicLoop } from "./edits/anthropic-loop.ts";
import { anthropicStream } from "./edits/anthropic-stream.ts";
import { asksPeople } from "./edits/asks-people.ts";
import { mailBatch, newsStream, threeAgents } from "./edits/batches-and-streams.ts";
import { chatLoop } from "./edits/chat-loop.ts";
import { chatStreams } from "./edits/chat-streams.ts";
import { noteKeeper, shopRows, threadDesk } from "./edits/desk-effects.ts";
import { ends, keepsRows, writesFiles } from "./edits/effects.ts";
import { embeddings } from "./edits/embeddings.ts";
import { refundAgent, weatherLoop } from "./edits/examples.ts";
import { fanOut } from "./edits/fan-out.ts";
import { httpClients } from "./edits/http-clients.ts";
import { ownApi } from "./edits/own-api.ts";
import { pathsLikeTelemetry } from "./edits/paths-like-telemetry.ts";
import { secretAgent, secretNumbers, secrets, tauChain } from "./edits/recorded.ts";
import { responsesChain } from "./edits/responses-chain.ts";
import { ownServer, twoAgents } from "./edits/several-runs.ts";
import { subAgents } from "./edits/sub-agents.ts";
import { draws, patience } from "./edits/timing.ts";
import { buildBot } from "./edits/build-bot.ts";
import { houseLedger } from "./edits/house-ledger.ts";
import { orderLines } from "./edits/order-lines.ts";
import { pressDesk } from "./edits/press-desk.ts";
import { sdkHelpers } from "./edits/sdk-helpers.ts";
import { ticketDesk } from "./edits/ticket-desk.ts";
import { keyDesk, nightWatch } from "./edits/watch-and-keys.ts";
import { workQueue } from "./edits/work-queue.ts";
import { bodyForms } from "./edits/body-forms.ts";
import { kindsOfFiles } from "./edits/kinds-of-files.ts";
import { kindsOfValues } from "./edits/kinds-of-values.ts";
import { saysMuch } from "./edits/says-much.ts";

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
  secretNumbers,
  secretAgent,
  refundAgent,
  weatherLoop,
  buildBot,
  houseLedger,
  orderLines,
  pressDesk,
  sdkHelpers,
  ticketDesk,
  mailBatch,
  newsStream,
  threeAgents,
  threadDesk,
  noteKeeper,
  shopRows,
  nightWatch,
  keyDesk,
  bodyForms,
  kindsOfFiles,
  kindsOfValues,
  saysMuch,
];
