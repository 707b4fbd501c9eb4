// The AI SDK 6, as CommonJS. The argument is the file of the agent.
const { pathToFileURL } = require("node:url");
const { createOpenAI } = require("@ai-sdk/openai");
const ai = require("ai");

void import(pathToFileURL(process.argv[2])).then(({ run }) => run(ai, createOpenAI().chat("gpt-4.1-mini")));
