/** Prefixes of the ids that model providers mint; reviewed as data. */
const MINTED_PREFIXES = [
  "call_",
  "toolu_",
  "srvtoolu_",
  "msg_",
  "resp_",
  "chatcmpl-",
  "cmpl-",
  "req_",
  "run_",
  "step_",
  "fc_",
  "rs_",
  "item_",
  "ws_",
  "fs_",
  "ci_",
  "ig_",
  "mcp_",
  "mcpl_",
  "mcpr_",
  "ctc_",
  "cu_",
  "gen-",
] as const;

const SHAPE = /^([a-z]{2,9}[_-])(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{20,128}$/;
const KNOWN: ReadonlySet<string> = new Set(MINTED_PREFIXES);

/**
 * The prefix of a string that is wholly an id minted by a provider, else null. Strict on purpose: to take two
 * different values of the agent's for one id would hide a change.
 */
export function mintedPrefix(text: string): string | null {
  if (text.length < 22 || text.length > 140) return null;
  const prefix = SHAPE.exec(text)?.[1];
  return prefix !== undefined && KNOWN.has(prefix) ? prefix : null;
}
