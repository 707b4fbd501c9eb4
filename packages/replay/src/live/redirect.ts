import type { Content, Step } from "@reenact/capture/recorder";
import { isRequest } from "../match/asked.ts";
import type { StrangeRecipient } from "./recipient.ts";

/** A live call was answered with a redirect to another origin, where its key would go along. */
export function redirectedAway({ index, op }: Pick<Step, "index" | "op">, to: string): StrangeRecipient {
  const message = `step ${index + 1} (${op}) was answered with a redirect to ${to}, which is not followed, since the key would go along; if you trust it, lead the program there and replay with --to ${to}`;
  return { reason: "unknown-host", message };
}

/**
 * Why a call of a model is not sent to where the answer of another one has led it: clients that follow redirects by calls of
 * their own (undici's interceptor) keep the header that holds the key. Null: no answer has.
 */
export function whyRedirected(
  step: Step,
  content: Content | null,
  calls: readonly { readonly step: Step }[],
): StrangeRecipient | null {
  if (step.operation === null || content === null || !isRequest(content)) return null;
  const from = calls.find(({ step: { exchange } }) => {
    const to = exchange === null ? null : ledTo(exchange);
    return to !== null && to.href === new URL(content.url).href;
  });
  return from === undefined ? null : redirectedAway(from.step, new URL(content.url).origin);
}

/** Null: the answer is no redirect, or one within its origin. */
function ledTo({ url, response }: NonNullable<Step["exchange"]>): URL | null {
  if (response === null || response.status < 300 || response.status > 399) return null;
  const location = response.headers.find(([name]) => name.toLowerCase() === "location")?.[1] ?? "";
  if (!URL.canParse(location, url)) return null;
  const to = new URL(location, url);
  to.hash = "";
  return to.origin === new URL(url).origin ? null : to;
}

/** `fetch` drops these where a redirect leads to another origin. */
const DROPPED = /^(?:authorization|proxy-authorization|cookie)$/i;
const KEYS = /key|token|secret|auth|password|credential|session/i;

/** Whether a header that `fetch` takes along to another origin may hold a key. */
export const holdsKey = (headers: ReadonlyArray<readonly [string, string]>): boolean =>
  headers.some(([name]) => KEYS.test(name) && !DROPPED.test(name));
