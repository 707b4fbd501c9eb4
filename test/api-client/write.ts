import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "@reenact/collector";
import { type ApiDocument, CLIENTS, clientSource, ROOT } from "./client-source.ts";

for (const path of CLIENTS) writeFileSync(join(ROOT, path), clientSource(openApi("0") as unknown as ApiDocument));
