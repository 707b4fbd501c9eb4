// What servers of tests have in common.
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

/**
 * Answers each path with what `answer` returns for it, as JSON, and ends at `/stop`. Writes the address into the file
 * `address`, which is there only when it is whole.
 */
export function serve(address, answer) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/stop") {
      response.end();
      setTimeout(() => process.exit(0), 20);
      return;
    }
    response.end(JSON.stringify(await answer(pathname.slice(1))));
  });
  server.listen(0, "127.0.0.1", () => sayAddress(server, address));
}

/** Writes the address of a server that listens into a file, which is there only when it is whole. Two replays may do so at once. */
export function sayAddress(server, address) {
  writeFileSync(`${address}.part`, `http://127.0.0.1:${server.address().port}`);
  try {
    renameSync(`${address}.part`, address);
  } catch (error) {
    // the other one has renamed it
    if (!existsSync(address)) throw error;
  }
}
