import type { Policy } from "@reenact/redaction";
import type { z } from "zod";
import type { projectCheck, projectTest } from "./project-schema.ts";
import type { Workbench } from "./workbench.ts";

/** The project of a developer over which a collector runs, as the program that starts the collector knows it. */
export interface Project {
  /** name of its folder, for people */
  readonly name: string;
  /** line for a terminal that runs all tests */
  readonly testCommand: string;
  /** options with which a command there finds the runs that the collector has, a blank ahead */
  readonly place: string;
  /** The recorded runs that are tests, each with its last result. */
  tests(): readonly ProjectTest[];
  /** Of its configuration, as its recorder reads it; empty: it has none. Throws with one line for a policy that cannot be read. */
  redactionPolicy(): Policy;
  /** What `reenact doctor` finds there now. Rejects with one line where it cannot be asked. */
  checks(): Promise<readonly ProjectCheck[]>;
  /** null: no command was given that may be run */
  readonly workbench: Workbench | null;
}

export type ProjectTest = z.infer<typeof projectTest>;
export type ProjectCheck = z.infer<typeof projectCheck>;
