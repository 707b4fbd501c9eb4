import type { Envelope } from "@reenact/envelope/file";
import { CliError } from "../errors/cli-error.ts";
import { loadCollector } from "../process/collector-package.ts";

/** The run as a page of its own. What has no room in it is told. */
export async function pageOf(run: Envelope, reference: string): Promise<Uint8Array> {
  const { offlinePage, OfflineTooLarge } = await loadCollector();
  try {
    const { html, steps, left } = await offlinePage(run);
    if (left > 0)
      process.stderr.write(
        `reenact: the page holds the values of ${steps - left} of ${steps} steps, as it may have 24 MB of them; reenact export ${reference} -o run.reenact has all\n`,
      );
    return Buffer.from(html);
  } catch (error) {
    if (!(error instanceof OfflineTooLarge)) throw error;
    const next = `reenact export ${reference} -o run.reenact, and open it with reenact import and reenact up`;
    throw new CliError("REEN-TOO-LARGE", error.message, next, { cause: error });
  }
}
