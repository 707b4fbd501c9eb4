import { type Address, scrubPath, type Step } from "@reenact/capture/recorder";
import type { RecordedStep } from "../tape/tape.ts";
import { scrubUrl } from "./asked.ts";
import { isSameAddress } from "./compare-address.ts";
import type { Requests } from "./requests.ts";

/** Which of `steps` are requests to this address, in the place of `step` and of the same attempt. */
export function requestsTo(
  { method, url }: Address,
  { path, attempt }: Pick<Step, "path" | "attempt">,
  steps: readonly RecordedStep[],
  { scrubber, asRecorded }: Pick<Requests, "scrubber" | "asRecorded">,
): RecordedStep[] {
  const address = { method, url: scrubUrl(scrubber, asRecorded(url)) };
  const place = scrubPath(scrubber, path);
  return steps.filter(
    ({ record }) =>
      record.attempt === attempt && record.path === place && isSameAddress(record.exchange?.request, address),
  );
}
