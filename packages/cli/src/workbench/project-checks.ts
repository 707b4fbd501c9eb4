import { spawn } from "node:child_process";
import type { ProjectCheck } from "@reenact/collector";
import { environment } from "../process/environment.ts";
import { upAddress } from "../remote/up-address.ts";
import { endOf, failureIn } from "./replay-process.ts";

/** Pages that ask within so long after an answer get the same one, milliseconds. */
const AGE = 5_000;

interface ChecksPlace {
  /** folder of the project, absolute */
  readonly project: string;
  /** absolute */
  readonly store: string;
  /** of the collector; undefined: it asks for none */
  readonly key: string | undefined;
}

/** Asks `reenact doctor`, in a process of its own: it reads the store, which can take seconds. */
export function openProjectChecks(place: ChecksPlace): () => Promise<readonly ProjectCheck[]> {
  let last: { readonly answer: Promise<readonly ProjectCheck[]>; readonly until: number } | null = null;
  return () => {
    if (last !== null && last.until > Date.now()) return last.answer;
    const answer = ask(place);
    const asked = { answer, until: Infinity };
    last = asked;
    const forget = () => {
      if (last === asked) last = { answer, until: Date.now() + AGE };
    };
    answer.then(forget, forget);
    return answer;
  };
}

async function ask({ project, store, key }: ChecksPlace): Promise<readonly ProjectCheck[]> {
  const own = environment();
  const http = upAddress(store);
  const env = {
    ...own,
    // where nothing else is named, runs go to this collector: doctor asks it whether it takes them
    ...(!own["REENACT_ENDPOINT"]?.trim() && http !== null && { REENACT_ENDPOINT: http }),
    ...(key !== undefined && { REENACT_API_KEY: key }),
  };
  const child = spawn(process.execPath, [process.argv[1] ?? "", "doctor", "--json", "--store", store], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stdout?.on("data", (bytes: Buffer) => (text += bytes.toString()));
  const { written } = await endOf(child);
  try {
    return (JSON.parse(text) as { checks: ProjectCheck[] }).checks;
  } catch {
    throw new Error(failureIn(written, "doctor ended without an answer"));
  }
}
