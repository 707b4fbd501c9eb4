import type { Provider } from "../provider.ts";

/** Amazon Bedrock's runtime. The path names the model; the format of an invoked model's body is that of its maker. */
export const bedrock: Provider = {
  name: "bedrock",
  title: "Amazon Bedrock",
  hosts: [
    {
      host: "amazonaws.com",
      api: /^bedrock-runtime(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com$/,
      openinference: "aws",
      genAi: "aws.bedrock",
    },
    {
      host: "api.aws",
      api: /^bedrock-runtime(?:-fips)?\.[a-z0-9-]+\.api\.aws$/,
      openinference: "aws",
      genAi: "aws.bedrock",
    },
  ],
  sdks: [{ package: "@aws-sdk/client-bedrock-runtime", tested: [3], keepsFetch: false }],
  keys: [],
  modelInPath: /\/model\/([^/]+)\//,
  targets: [
    {
      method: "POST",
      path: /\/model\/[^/]+\/converse$/,
      proof: [["messages", "promptVariables"]],
      distinctive: true,
      operation: "converse",
    },
    {
      method: "POST",
      path: /\/model\/[^/]+\/converse-stream$/,
      proof: [["messages", "promptVariables"]],
      distinctive: true,
      operation: "converse.stream",
    },
    { method: "POST", path: /\/model\/[^/]+\/invoke$/, proof: [], distinctive: true, operation: "invoke" },
    {
      method: "POST",
      path: /\/model\/[^/]+\/invoke-with-response-stream$/,
      proof: [],
      distinctive: true,
      operation: "invoke.stream",
    },
    { method: "POST", path: /\/model\/[^/]+\/count-tokens$/, proof: [["input"]], operation: "count" },
  ],
};
