#!/usr/bin/env node
// Committed as it is, since npm links no command whose file is missing.
const { runLambda } = await import("../dist/lambda.js");
await runLambda(process.argv.slice(2));
