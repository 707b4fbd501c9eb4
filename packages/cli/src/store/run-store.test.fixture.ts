import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { afterEach, beforeEach } from "vitest";
import type { RunFile } from "./run-files.ts";

const golden = join(import.meta.dirname, "../../../../test/fixtures/envelopes/v1-parallel-calls.reenact");

/** The spans of a run, from which a test makes others. */
export const { spans: goldenSpans } = readEnvelope(readFileSync(golden));

export const idOf = ({ header }: RunFile): string => header.run;

/** A local store for each test of the file. */
export function runStore(): { readonly folder: string; fileOf(run: string): string; empty(): void } {
  let folder: string;
  const runs = (): string => join(folder, "runs");
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "run-store-"));
    mkdirSync(runs());
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get folder() {
      return folder;
    },
    fileOf: (run) => join(runs(), `${run}.reenact`),
    empty() {
      rmSync(runs(), { recursive: true });
      mkdirSync(runs());
    },
  };
}
