import { findTokens } from "@reenact/envelope";
import { type FieldContext, NOWHERE } from "../names/field-context.ts";
import type { Hit } from "../scan/hit.ts";
import type { Change } from "./change.ts";
import type { Nesting } from "./nesting.ts";
import type { ScanContext } from "./scan-context.ts";

/** The whole leaf under one token; one that is a token already stays. */
export function wholly(text: string, type: string, context: ScanContext, nest: Nesting): readonly Change[] {
  if (findTokens(text)[0]?.token === text) return [];
  return replacement(text, { start: 0, end: text.length, type }, context, nest.path);
}

/** Changes of a stretch of plain text; offsets are those of `text`. */
export function plainChanges(
  text: string,
  from: number,
  to: number,
  field: FieldContext,
  context: ScanContext,
  path: string | null,
): readonly Change[] {
  const hits = context.scanner.scan(text, from, to, field);
  return hits.length === 0 ? [] : hits.flatMap((hit) => replacement(text, hit, context, path));
}

/** Plain text that stands under no name. */
export function barePlainChanges(text: string, from: number, to: number, context: ScanContext): readonly Change[] {
  return plainChanges(text, from, to, NOWHERE, context, null);
}

/** The change that replaces a hit; none where the policy lets it stay. */
export function replacement(text: string, hit: Hit, context: ScanContext, path: string | null): Change[] {
  // a token costs more than finding its value
  context.checkTime(0);
  const put = context.replace(text.slice(hit.start, hit.end), hit, path);
  if (put === null) return [];
  return [
    {
      start: hit.start,
      end: hit.end,
      with: put,
      type: hit.type,
      ...(hit.rule === undefined ? {} : { rule: hit.rule }),
    },
  ];
}
