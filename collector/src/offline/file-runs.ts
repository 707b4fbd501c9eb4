import { type Envelope, isEnvelope, otlpRuns, readEnvelope, readRun, writeEnvelope } from "@reenact/envelope/file";
import { runAnswers } from "./run-answers.ts";

/** A run of a file, for pages that have no collector. */
export interface FileRun {
  readonly run: string;
  readonly name: string;
  readonly steps: number;
  /** milliseconds since the epoch */
  readonly started: number;
  /** why not all of it could be read; null: all was */
  readonly damage: string | null;
  /** Answers as the API does, by the address behind `/api/v1`. */
  answer(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Bytes of one frame of an envelope, as they are without compression: a file may claim any number of them. */
const MOST_RAW = 512 * 1024 * 1024;

/**
 * Reads the runs of a `.reenact` file, or of an OTLP file (protobuf or JSON), ordered by their start. A damaged `.reenact` file gives the
 * runs that come before the damaged bytes.
 * Throws one line that says what is wrong with the file.
 */
export function fileRuns(bytes: Uint8Array): FileRun[] {
  const envelopes = isEnvelope(bytes)
    ? [readEnvelope(bytes, { damaged: "read-up-to", maxRaw: MOST_RAW })]
    : otlpRuns(bytes).map(envelopeOf);
  if (envelopes.length === 0) throw new Error("it holds no spans");
  return envelopes.map(fileRunOf).toSorted((a, b) => a.started - b.started);
}

type Described = Pick<Envelope, "header" | "manifest" | "spans" | "damage">;

/** Spans as the envelope would hold them, were it written. */
function envelopeOf(given: ReturnType<typeof otlpRuns>[number]): Described {
  const { header, manifest } = writeEnvelope(given);
  return { header, manifest, spans: readRun(given.spans, header.run).spans, damage: null };
}

function fileRunOf(envelope: Described): FileRun {
  const { header, manifest, damage } = envelope;
  const answer = runAnswers(
    damage === null
      ? envelope
      : { ...envelope, manifest: { ...manifest, complete: false, incompleteReasons: [damage.message] } },
  );
  return {
    run: header.run,
    name: manifest.name,
    steps: manifest.steps,
    started: Number(BigInt(manifest.started) / 1_000_000n),
    damage: damage?.message ?? null,
    answer,
  };
}
