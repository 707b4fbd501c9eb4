import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Receiver and journal alone as a built program, as the product is built. Needs a build. Gives its path. */
export async function buildReceiver() {
  const collector = fileURLToPath(new URL("../../collector", import.meta.url));
  const dir = join(collector, "dist", "bench");
  const made = await rolldown({
    input: {
      "receive-only": join(collector, "src/receive/receive-only.test.fixture.ts"),
      "commit-worker": join(collector, "src/journal/drivers/local/commit-worker.ts"),
      "unpack-worker": join(collector, "src/receive/unpack-worker.ts"),
    },
    platform: "node",
    external: (id) => !/^[./]/.test(id),
  });
  await made.write({ dir, format: "esm" });
  await made.close();
  return join(dir, "receive-only.js");
}
