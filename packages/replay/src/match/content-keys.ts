import { renameTokens, type RequestDigests } from "@reenact/envelope";
import type { RecordedStep } from "../tape/tape.ts";
import type { Asked } from "./asked.ts";
import { recordedDigests, recordedUrl, targetOf } from "./recorded-request.ts";

/** Texts of which two contents share one exactly if they are the same: URL and whole body, or URL and all dimensions. */
export function contentKeys(of: Asked | RecordedStep): string[] {
  const digests = "digests" in of ? of.digests : recordedDigests(of);
  if (digests === null) return [];
  const { body, model, params, system, tools, messages } = digests;
  const target = renameTokens(targetOf("url" in of ? of.url : recordedUrl(of)));
  const whole = body !== undefined ? [`body ${target} ${body}`] : target === "" ? [] : [`target ${target}`];
  return messages === undefined
    ? whole
    : [...whole, `dimensions ${target} ${JSON.stringify([model, params, system, tools, messages])}`];
}

/** Whether a request asks for the answer of this recorded step. It may still differ in what decides no answer. */
export function sameContent(asked: Asked, step: RecordedStep): boolean {
  if (renameTokens(targetOf(recordedUrl(step))) !== renameTokens(targetOf(asked.url))) return false;
  const recorded = recordedDigests(step);
  return recorded?.body === asked.digests.body || sameDimensions(asked.digests, recorded);
}

/** All dimensions equal; where there are none, the whole body. */
function sameDimensions(a: RequestDigests, b: RequestDigests | null): boolean {
  if (b === null) return false;
  if (a.messages === undefined || b.messages === undefined) return a.body === b.body;
  return (
    a.model === b.model &&
    a.params === b.params &&
    a.system === b.system &&
    a.tools === b.tools &&
    a.messages.length === b.messages.length &&
    a.messages.every((m, i) => m === b.messages?.[i])
  );
}
