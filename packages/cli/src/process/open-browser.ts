import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { environment } from "./environment.ts";

/** The command that opens an address; `BROWSER` names another one. Null: nothing here shows pages. */
function opener(): string[] | null {
  const env = environment();
  if (env["BROWSER"]) return [env["BROWSER"]];
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? ["xdg-open"] : null;
}

/** Opens an address or a file in the user's browser, which outlives this process. False: nothing can be opened here. */
export function openInBrowser(address: string): Promise<boolean> {
  const [command, ...args] = opener() ?? [];
  if (command === undefined) return Promise.resolve(false);
  const child = spawn(command, [...args, address], { detached: true, stdio: "ignore" });
  child.unref();
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
  });
}

/** A file that leads to an address with a secret: other users see the arguments of a browser, and cannot read the file. */
export function writeLeadingPage(file: string, address: string): void {
  const page = `<!doctype html><meta charset="utf-8"><title>Reenact</title><meta http-equiv="refresh" content="0; url=${address}">`;
  writeFileSync(file, page, { mode: 0o600 });
}
