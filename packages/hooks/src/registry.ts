import type { Hook } from "@reenact/capture/hook";
import { betterSqlite3 } from "./databases/better-sqlite3/hook.ts";
import { ioredis } from "./databases/ioredis/hook.ts";
import { mongodb } from "./databases/mongodb/hook.ts";
import { mysql2 } from "./databases/mysql2/hook.ts";
import { nodeSqlite } from "./databases/node-sqlite/hook.ts";
import { pg } from "./databases/pg/hook.ts";
import { redis } from "./databases/redis/hook.ts";
import { aiSdk } from "./frameworks/ai-sdk/hook.ts";
import { anthropicToolRunner } from "./frameworks/anthropic-tool-runner/hook.ts";
import { langchainTools } from "./frameworks/langchain-tools/hook.ts";
import { llamaindexTools } from "./frameworks/llamaindex-tools/hook.ts";
import { openaiAgents } from "./frameworks/openai-agents/hook.ts";
import { aiSdkDecisions } from "./decisions/ai-sdk/hook.ts";
import { langgraphDecisions } from "./decisions/langgraph/hook.ts";
import { openaiAgentsDecisions } from "./decisions/openai-agents/hook.ts";
import { openaiAgentsHandoffs } from "./frameworks/openai-agents-handoffs/hook.ts";
import { openaiRunTools } from "./frameworks/openai-run-tools/hook.ts";
import { awsLambda } from "./jobs/aws-lambda/hook.ts";
import { bullmq } from "./jobs/bullmq/hook.ts";
import { croner } from "./jobs/croner/hook.ts";
import { kafkajs } from "./jobs/kafkajs/hook.ts";
import { nodeCron } from "./jobs/node-cron/hook.ts";
import { pgBoss } from "./jobs/pg-boss/hook.ts";
import { sqsConsumer } from "./jobs/sqs-consumer/hook.ts";
import { mcpClient } from "./mcp/client/hook.ts";
import { opentelemetry } from "./telemetry/opentelemetry/hook.ts";
import { sentry } from "./telemetry/sentry/hook.ts";
import { http2 } from "./transports/http2/hook.ts";
import { undici } from "./transports/undici/hook.ts";

/** Places in libraries where the recorder takes part, one row each. */
export const HOOKS: readonly Hook[] = [
  nodeSqlite,
  betterSqlite3,
  pg,
  mysql2,
  mongodb,
  ioredis,
  redis,
  undici,
  http2,
  opentelemetry,
  sentry,
  langchainTools,
  llamaindexTools,
  aiSdk,
  openaiAgents,
  openaiAgentsHandoffs,
  openaiAgentsDecisions,
  aiSdkDecisions,
  langgraphDecisions,
  openaiRunTools,
  anthropicToolRunner,
  mcpClient,
  awsLambda,
  bullmq,
  pgBoss,
  sqsConsumer,
  kafkajs,
  nodeCron,
  croner,
];
