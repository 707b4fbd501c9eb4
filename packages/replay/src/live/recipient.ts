import type { Content, Step } from "@reenact/capture/recorder";
import { isOwnAddress } from "@reenact/providers";
import { isRequest } from "../match/asked.ts";
import type { Tape } from "../tape/tape.ts";
import { unsealedRoot } from "../tape/tape-vault.ts";
import type { Continuation } from "./continuation.ts";

/** Nobody asked for its recipient. */
export interface StrangeRecipient {
  readonly reason: "unknown-host";
  readonly message: string;
}

/**
 * Why a request is not sent to where it goes; null: it may be. Whoever made a record chose its variables (`OPENAI_BASE_URL`) and
 * answers, and so where the program sends the key of this machine. A call of a model goes to its provider's own hosts, to what a
 * variable of the caller names, and to what the caller allows. A plain request goes to those, and where the caller made its host
 * live; one within a body that runs live also to any host that the record's variables do not name.
 */
export function whyStrangeRecipient(
  step: Step,
  content: Content | null,
  tape: Tape,
  { options, isBeneathLive }: Pick<Continuation, "options"> & { isBeneathLive: boolean },
): StrangeRecipient | null {
  if (content === null || !isRequest(content)) return null;
  const url = new URL(content.url);
  if (url.username !== "" || url.password !== "")
    return strange(step, url, "its address holds a user name, which can look like a host");
  if (options.origins.includes(url.origin)) return null;
  const named = variablesNaming(url, tape);
  if (step.operation === null) {
    if (options.names.includes(url.host)) return null;
    if (isBeneathLive && named.length === 0) return null;
  } else if (isOwnAddress(step.op.split(".")[0] ?? "", url)) return null;
  const by = named.length === 0 ? "" : ` (in the record it stands in ${named.join(", ")}; --env takes yours)`;
  return strange(step, url, `no option and no variable of yours names that host${by}`);
}

/** The message shows no user name or password of the address: one may be a secret. */
function strange(step: Step, { host, origin }: URL, why: string): StrangeRecipient {
  const message = `step ${step.index + 1} (${step.op}) was not sent to ${host}: ${why}; if you trust it with what is sent and your key: --to ${origin}`;
  return { reason: "unknown-host", message };
}

const MOST_NAMED = 3;
const IS_LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Recorded variables in which the host stands; on this machine many programs have the same one, and the port counts. */
function variablesNaming({ hostname, host }: URL, tape: Tape): string[] {
  const sought = IS_LOOPBACK.test(hostname) ? host : hostname;
  return Object.entries(unsealedRoot(tape).environment ?? {})
    .filter(([, value]) => typeof value === "string" && value.toLowerCase().includes(sought))
    .map(([name]) => name)
    .slice(0, MOST_NAMED);
}
