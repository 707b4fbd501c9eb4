import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "@reenact/envelope/file";
import { UI_FOLDER } from "../ui-folder.ts";
import { inMarkup, offlineAnswers } from "./offline-answers.ts";

/** JSON of a run that a page holds, bytes. With it a browser opens the file at once. */
const MOST = 24 * 1024 * 1024;

export interface OfflinePage {
  readonly html: string;
  readonly steps: number;
  /** steps whose values and context are not in it, since the run is too long */
  readonly left: number;
}

/**
 * The page of one run as one file that needs no network: script, style and data are in it, and its content security policy allows
 * nothing else. `most`: bytes of data. Throws `OfflineTooLarge`.
 */
export async function offlinePage(
  envelope: Envelope,
  { most = MOST, folder = UI_FOLDER, now = new Date() }: { most?: number; folder?: string; now?: Date } = {},
): Promise<OfflinePage> {
  const { run, answers, values, steps, left } = await offlineAnswers(envelope, most);
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const script = inScript(fileNamed(folder, page, /src="\.\/(assets\/[^"]+\.js)"/));
  const style = fileNamed(folder, page, /href="\.\/(assets\/[^"]+\.css)"/);
  const data = { v: 1, run, exported: now.toISOString(), steps, left };
  const json = JSON.stringify({ ...data, answers: Object.fromEntries(answers), values: Object.fromEntries(values) });
  const policy = [
    "default-src 'none'",
    `script-src ${digestOf(script)}`,
    `style-src ${digestOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Reenact</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This file shows a recorded run. It needs JavaScript, and no network.</noscript>
<script type="application/json" id="offline">${inMarkup(json)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
  return { html, steps, left };
}

/** The file of the built pages that `page` names. */
function fileNamed(folder: string, page: string, name: RegExp): string {
  const path = name.exec(page)?.[1];
  if (path === undefined) throw new Error(`${folder} holds no built pages: npm run build`);
  return readFileSync(join(folder, path), "utf8").replace(/\n\/\/# sourceMappingURL=\S*\s*$/, "\n");
}

/** In the texts of a script `\/` and `\!` mean the same. */
const inScript = (script: string): string => script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

const digestOf = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`;
