import { decodeResource } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import type { Manifest, RetentionClass } from "@reenact/envelope/schema";
import type { Filter } from "../catalog/filter.ts";
import { indexRun, type RunIndex } from "../catalog/index-run.ts";
import { matches } from "../catalog/matches.ts";
import { rowOf } from "../catalog/row-of.ts";

const UNREAD: RunIndex = { text: "", tools: [], tags: [], project: null, errors: 0, question: null, answer: null };
/** Filter fields whose values the catalog reads from the spans. */
const OF_SPANS: readonly string[] = ["tool", "tag", "project", "errors"];

/**
 * Whether a run that no collector has fits a filter, as it would in a catalog. `spans` is called only where the manifest
 * does not tell; when the run was received is not known of it.
 */
export function fitsEnvelope(
  filter: Filter,
  manifest: Manifest,
  { class: kept, spans }: { readonly class: RetentionClass; readonly spans: () => Envelope["spans"] },
): boolean {
  const index = asksSpans(filter) ? indexOf(spans()) : UNREAD;
  const sealed = { tenant: "", class: kept, rule: null, received: Number.NaN, parts: [] };
  return matches(filter, rowOf(manifest, index, sealed), index.text);
}

function indexOf(spans: Envelope["spans"]): RunIndex {
  const resource = spans[0] ? decodeResource(spans[0].scanned.resource) : {};
  return indexRun(
    spans.map(({ span }) => span),
    resource,
  );
}

function asksSpans(filter: Filter): boolean {
  switch (filter.is) {
    case "all":
    case "any":
      return filter.of.some(asksSpans);
    case "not":
      return asksSpans(filter.of);
    case "words":
      return true;
    case "complete":
      return false;
    case "one-of":
    case "starts":
    case "number":
      return OF_SPANS.includes(filter.field);
  }
}
