// Prints how much of each class is found and how much that should stay is touched, and exits 1 below a floor.
// `node test/redaction/accuracy.mjs`; TEST_SCALE=full: 100,000 of each identifier.
import { createScrubber } from "@reenact/redaction";
import { measure } from "./measure.mjs";

const size = { small: [400, 400], ci: [4_000, 4_000], full: [20_000, 100_000] }[process.env.TEST_SCALE ?? "ci"];
const { rows, failed } = measure(createScrubber({ key: Buffer.alloc(32, 7) }), {
  values: size[0],
  identifiers: size[1],
  seed: Number(process.env.SEED ?? process.env.TEST_SEED ?? Date.now() % 1e6),
});
process.stdout.write(`${rows.join("\n")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
