import type { AnyFunction, Decision, Hook } from "@reenact/capture/hook";

interface Approval {
  readonly approvalResponse: { readonly approved: boolean; readonly reason?: string };
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
}
/** what `collectToolApprovals` returns */
interface Approvals {
  readonly approvedToolApprovals?: readonly Approval[];
  readonly deniedToolApprovals?: readonly Approval[];
}
interface Tool {
  readonly execute?: AnyFunction;
}
/** what the functions are given that ask whether a call needs an approval */
interface Question {
  readonly toolCall?: { readonly toolName: string };
  /** version 6 */
  readonly tool?: Tool;
  /** version 7 */
  readonly tools?: Readonly<Record<string, Tool>>;
}

const bundle = { packages: ["ai"], path: /^dist\/index\.m?js$/ };

/**
 * The AI SDK reads the answers to its requests for approval out of the messages with which a later call begins. Where it asks whether
 * a call needs one it has not run the tool: a process that ends then, and leaves the call to another one, has no record of it.
 */
export const aiSdkDecisions: Hook = {
  name: "decisions/ai-sdk",
  title: "approvals of the AI SDK",
  files: [
    { ...bundle, value: "collectToolApprovals" },
    // version 6 has the first of them, version 7 the other
    { ...bundle, value: "isApprovalNeeded" },
    { ...bundle, value: "resolveToolApproval" },
  ],
  versions: { from: "6.0.0", below: "8.0.0" },
  decisions: {
    waiting([given]) {
      const { toolCall, tool, tools } = given as Question;
      if (toolCall === undefined) return [];
      const { toolName } = toolCall;
      return typeof (tool ?? tools?.[toolName])?.execute === "function" ? [toolName] : [];
    },
    decisions(_, result) {
      const { approvedToolApprovals = [], deniedToolApprovals = [] } = result as Approvals;
      return [...approvedToolApprovals, ...deniedToolApprovals].map(decisionOf);
    },
  },
};

function decisionOf({ approvalResponse, toolCall }: Approval): Decision {
  const { approved, reason } = approvalResponse;
  return {
    name: toolCall.toolName,
    arguments: toolCall.input,
    approved,
    call: toolCall.toolCallId,
    ...(reason !== undefined && { reason }),
  };
}
