import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "@reenact/collector";
import { type ApiDocument, CLIENT, clientSource, ROOT } from "./client-source.ts";

writeFileSync(join(ROOT, CLIENT), clientSource(openApi("0") as unknown as ApiDocument));
