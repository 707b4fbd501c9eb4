import type { Hook } from "@reenact/capture/hook";
import { parsedArguments } from "./parsed-arguments.ts";

interface ApprovalItem {
  readonly name?: string;
  readonly arguments?: string;
  readonly rawItem: { readonly callId?: string };
}
interface Options {
  readonly message?: string;
  readonly alwaysApprove?: boolean;
  readonly alwaysReject?: boolean;
}

/** `RunState.approve` and `reject`: also of a state that another process has written. */
export const openaiAgentsDecisions: Hook = {
  name: "decisions/openai-agents",
  title: "approvals of OpenAI Agents",
  files: [{ packages: ["@openai/agents-core"], path: /^dist\/runState\.m?js$/, value: "RunState" }],
  versions: { from: "0.20.0", below: "0.21.0" },
  decisions: {
    methods: ["approve", "reject"],
    decisions([given, options], _, method) {
      const { name = "", arguments: args, rawItem } = given as ApprovalItem;
      const { message, alwaysApprove = false, alwaysReject = false } = (options ?? {}) as Options;
      const approved = method === "approve";
      return [
        {
          name,
          arguments: parsedArguments(args),
          approved,
          ...((approved ? alwaysApprove : alwaysReject) && { always: true }),
          ...(rawItem.callId !== undefined && { call: rawItem.callId }),
          ...(message !== undefined && { reason: message }),
        },
      ];
    },
  },
};
