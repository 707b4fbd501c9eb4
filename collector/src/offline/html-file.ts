import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Content {
  /** HTML that is put before the scripts */
  readonly data: string;
  /** module scripts that run before that of the pages */
  readonly before?: readonly string[];
  /** what to read where scripts do not run */
  readonly noscript: string;
}

/**
 * The built pages of `folder` as one file that needs no network: script and style are in it, and its content security policy allows nothing
 * else.
 */
export function htmlFile(folder: string, { data, before = [], noscript }: Content): string {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const scripts = [...before, fileNamed(folder, page, /src="\.\/(assets\/[^"]+\.js)"/)].map(inScript);
  // it would be asked of a place where there is none
  if (scripts.some((script) => /^import\s*[{*"'\w]/.test(script)))
    throw new Error(`${folder}: a script imports another one`);
  const style = fileNamed(folder, page, /href="\.\/(assets\/[^"]+\.css)"/);
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(digestOf).join(" ")}`,
    `style-src ${digestOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return `<!doctype html>
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
<noscript>${noscript}</noscript>
${data}${scripts.map((script) => `<script type="module">${script}</script>\n`).join("")}</body>
</html>
`;
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
