// publint.mjs: checks the package.json of the folders given by what npm would publish of them. Ends with 1 for an error or a
// warning. A pattern under the condition @reenact/source matches no published file on purpose: sources are not published.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

for (const folder of process.argv.slice(2)) {
  const { messages } = await publint({ pkgDir: folder, strict: true });
  const pkg = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const message of messages) {
    if (message.type === "suggestion") continue;
    if (message.code === "EXPORTS_GLOB_NO_MATCHED_FILES" && message.path.includes("@reenact/source")) continue;
    console.error(`publint ${folder}: ${formatMessage(message, pkg)}`);
    process.exitCode = 1;
  }
}
