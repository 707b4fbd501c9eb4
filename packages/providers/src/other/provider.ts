import type { Provider } from "../provider.ts";

/**
 * Model APIs that nobody here knows, such as a gateway of one's own: a body with a model and a prompt, sent to any address
 * that is no other provider's operation.
 */
export const other: Provider = {
  name: "other",
  title: "Other model APIs",
  hosts: [],
  sdks: [],
  keys: [],
  targets: [
    {
      method: "POST",
      path: /$/,
      proof: [
        ["model", "model_id", "modelId"],
        ["messages", "contents", "prompt"],
      ],
      ownMembers: true,
      operation: "generate",
    },
  ],
};
