import type { Address } from "@reenact/capture/recorder";
import { renameTokens } from "@reenact/envelope";
import type { RecordedStep } from "../tape/tape.ts";
import type { Asked } from "./asked.ts";
import { otherwiseWritten, pairDifferences } from "./compare-body.ts";
import type { Difference, SameText } from "./difference.ts";
import { recordedUrl, targetOf } from "./recorded-request.ts";

export interface ComparedAddress {
  /** differences in method, options, path and query */
  readonly target: Difference[];
  /** differences in scheme and host */
  readonly origin: Difference[];
  readonly notes: string[];
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** Compares where a request goes to. Ports of loopback addresses are free ones, and differ with every start. */
export function compareAddresses(asked: Asked, step: RecordedStep, isModel: boolean, same: SameText): ComparedAddress {
  const { method = "", redirect = "follow", options = {} } = step.record.exchange?.request ?? {};
  const out: ComparedAddress = { target: [], origin: [], notes: [] };
  const differs = (of: "method" | "redirect", recorded: string, now: string): void => {
    if (recorded !== now) out.target.push({ of, pointer: "", recorded, now });
  };
  differs("method", method, asked.method);
  differs("redirect", redirect, asked.redirect ?? "follow");
  out.target.push(...optionDifferences(options, asked.options ?? {}, same));
  const there = recordedUrl(step);
  if (there === asked.url) return out;
  compareTargets(out, targetOf(there), targetOf(asked.url), step, same);
  compareOrigins(out, originOf(there), originOf(asked.url), isModel ? step : null, same);
  return out;
}

/** Paths with their queries. */
function compareTargets(out: ComparedAddress, target: string, now: string, step: RecordedStep, same: SameText): void {
  if (same(target, now)) return;
  const [path, query] = cut(target);
  const [pathNow, queryNow] = cut(now);
  if (same(path, pathNow) && pairDifferences(query, queryNow, same).length === 0)
    out.notes.push(`the ${otherwiseWritten(query, queryNow)} of the parameters in the URL differs (${step.record.op})`);
  else out.target.push({ of: "URL", pointer: "", recorded: target, now });
}

/** `model`: the step of a model's call, for a note where both are servers of this machine. */
function compareOrigins(
  out: ComparedAddress,
  from: Origin | null,
  to: Origin | null,
  model: RecordedStep | null,
  same: SameText,
): void {
  if (from === null || to === null || same(from.text, to.text)) return;
  const isLocal = from.scheme === to.scheme && LOOPBACK.test(from.host) && LOOPBACK.test(to.host);
  if (!isLocal) out.origin.push({ of: "URL", pointer: "", recorded: from.text, now: to.text });
  else if (model !== null) out.notes.push(`${model.record.op} goes to ${to.text}, and went to ${from.text}`);
}

/** Whether two requests have the same method, host and path, both redacted; redacted values count as equal. */
export function isSameAddress(recorded: Address | undefined, now: Address): boolean {
  if (recorded?.method !== now.method) return false;
  const [path, pathNow] = [recorded.url, now.url].map((url) => renameTokens(cut(targetOf(url))[0]));
  const [from, to] = [originOf(recorded.url), originOf(now.url)];
  if (path !== pathNow || from === null || to === null || from.scheme !== to.scheme) return false;
  return renameTokens(from.text) === renameTokens(to.text) || (LOOPBACK.test(from.host) && LOOPBACK.test(to.host));
}

function optionDifferences(
  recorded: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  same: SameText,
): Difference[] {
  return Object.keys({ ...recorded, ...now })
    .filter((name) => !same(recorded[name] ?? "", now[name] ?? ""))
    .map((name) => ({ of: "option", pointer: `/${name}`, recorded: recorded[name], now: now[name] }));
}

function cut(target: string): [path: string, query: string] {
  const at = target.indexOf("?");
  return at === -1 ? [target, ""] : [target.slice(0, at), target.slice(at + 1)];
}

interface Origin {
  readonly scheme: string;
  readonly host: string;
  readonly text: string;
}

function originOf(url: string): Origin | null {
  const found = /^([a-z][a-z0-9+.-]*):\/\/((?:[^/?#@]*@)?)(\[[^\]]*\]|[^/?#:]*)(?::(\d+))?/i.exec(url);
  if (found === null) return null;
  const [text, scheme = "", , host = ""] = found;
  return { scheme, host, text };
}
