import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type PointerEvent, useState } from "react";
import { type Answer, call } from "../api/call.ts";
import { dollars, duration, moment, number } from "../text/format.ts";
import { hasRange, withoutRange, withRange } from "./time-range.ts";

const BUCKETS = 48;
/** A day, in steps that are whole half hours, milliseconds. */
const DAY = 86_400_000;
const STEP = DAY / BUCKETS;
/** The strip is read again so often, milliseconds. */
const AGAIN = 30_000;

interface RunStripProps {
  readonly filter: string;
  readonly change: (filter: string | undefined) => void;
}
type Series = Answer<"getSeries">;
type Drag = { readonly from: number; readonly to: number };

/** The runs of the last day over time, failed ones apart; a drag over it narrows the list down to a range of time. */
export function RunStrip({ filter, change }: RunStripProps) {
  const others = withoutRange(filter);
  const { data } = useQuery({
    queryKey: ["series", others],
    queryFn: ({ signal }) => {
      const to = Math.ceil(Date.now() / STEP) * STEP;
      return call("getSeries", { query: { filter: others, from: to - DAY, to, buckets: BUCKETS }, signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN,
    retry: false,
  });
  if (!data || (data.points.length === 0 && !hasRange(filter))) return null;
  return (
    <figure className="strip">
      <Bars series={data} choose={(from, to) => change(withRange(filter, from, to))} />
      <figcaption className="muted">
        {sentence(data)}
        {hasRange(filter) && (
          <button type="button" className="more" onClick={() => change(others || undefined)}>
            All times
          </button>
        )}
      </figcaption>
    </figure>
  );
}

function Bars({ series, choose }: { series: Series; choose: (from: number, to: number) => void }) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const { from, bucketMs, points } = series;
  const most = Math.max(1, ...points.map(({ runs }) => runs));
  const placeOf = (at: number) => Math.round((at - from) / bucketMs);
  const under = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(BUCKETS - 1, Math.max(0, Math.floor(((clientX - left) / width) * BUCKETS)));
  };
  const end = () => {
    if (drag === null) return;
    const [first, last] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    setDrag(null);
    choose(from + first * bucketMs, from + (last + 1) * bucketMs);
  };
  return (
    <svg
      role="img"
      aria-label={sentence(series)}
      viewBox={`0 0 ${BUCKETS} 100`}
      preserveAspectRatio="none"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: under(event), to: under(event) });
      }}
      onPointerMove={(event) => drag !== null && setDrag({ ...drag, to: under(event) })}
      onPointerUp={end}
      onPointerCancel={() => setDrag(null)}
    >
      {drag !== null && (
        <rect
          className="strip-range"
          x={Math.min(drag.from, drag.to)}
          width={Math.abs(drag.to - drag.from) + 1}
          y="0"
          height="100"
        />
      )}
      {points.map((point) => {
        const [height, failed] = [point.runs, point.failed + point.aborted].map((runs) => (runs / most) * 100);
        return (
          <g key={point.at}>
            <title>{`${moment(point.at)}: ${lineOf(point)}`}</title>
            <rect className="strip-runs" x={placeOf(point.at) + 0.1} width="0.8" y={100 - height!} height={height} />
            <rect className="strip-failed" x={placeOf(point.at) + 0.1} width="0.8" y={100 - failed!} height={failed} />
          </g>
        );
      })}
    </svg>
  );
}

type Point = Series["points"][number];

function lineOf({ runs, failed, aborted, p50, p95, cost }: Point): string {
  const words = [
    `runs ${number(runs)}`,
    `failed ${number(failed + aborted)}`,
    p50 === null ? "" : `p50 ${duration(p50)}`,
    p95 === null ? "" : `p95 ${duration(p95)}`,
    cost === null ? "" : `cost ${dollars(cost)}`,
  ];
  return words.filter((word) => word !== "").join(" · ");
}

/** What the strip shows, in words. */
function sentence({ points, exact }: Series): string {
  const sum = (value: (point: Point) => number) => points.reduce((all, point) => all + value(point), 0);
  const failed = sum((point) => point.failed + point.aborted);
  const priced = points.filter(({ cost }) => cost !== null);
  const cost = priced.length === 0 ? "" : `, ${dollars(sum(({ cost }) => cost ?? 0))}`;
  return `Last 24 hours: ${exact ? "" : "at least "}${number(sum(({ runs }) => runs))} started, ${number(failed)} failed${cost}`;
}
