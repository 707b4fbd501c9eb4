import type { EndedSpan, Sink } from "@reenact/capture/recorder";
import { ATTR } from "@reenact/envelope";

export type RootJson = Record<string, unknown>;

/**
 * A sink that keeps the roots of runs back, for a process that knows only at its end what belongs into them. `release` writes them in
 * the order in which the runs ended, each with its facts as `complete` returns them. A process that is killed before has written no root.
 * `complete` null: nothing is kept back.
 */
export function holdRoots<Inner extends Sink>(sink: Inner, complete: ((facts: RootJson) => RootJson) | null) {
  if (complete === null) return { ...sink, release: (): void => {} };
  const held = new Map<string, EndedSpan>();
  return {
    ...sink,
    span(span: EndedSpan): void {
      if (span.parentSpanId === null && attributeOf(span, ATTR.root) !== undefined) held.set(span.run, span);
      else sink.span(span);
    },
    over(run: string): void {
      if (!held.has(run)) sink.over(run);
    },
    release(): void {
      for (const [run, span] of held) {
        sink.span(completed(span, complete));
        sink.over(run);
      }
      held.clear();
    },
  };
}

function completed(span: EndedSpan, complete: (facts: RootJson) => RootJson): EndedSpan {
  const facts = complete(JSON.parse(String(attributeOf(span, ATTR.root))) as RootJson);
  const attributes = span.attributes.flatMap(([name, value]) =>
    name === ATTR.root
      ? [[name, JSON.stringify(facts)] as const, ...replayAttributes(facts)]
      : [[name, value] as const],
  );
  return { ...span, attributes };
}

/** So that also a backend that does not read the root's JSON finds the replays of a run. */
export function replayAttributes({ replay }: RootJson): (readonly [string, string])[] {
  const { of, verdict } = (replay ?? {}) as { of?: unknown; verdict?: unknown };
  return [
    ...(typeof of === "string" ? [[ATTR.replayOf, of] as const] : []),
    ...(typeof verdict === "string" ? [[ATTR.replayVerdict, verdict] as const] : []),
  ];
}

const attributeOf = ({ attributes }: EndedSpan, name: string) => attributes.find(([key]) => key === name)?.[1];
