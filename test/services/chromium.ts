import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { installPackages } from "./debian-packages.ts";
import { serviceCache } from "./service-cache.ts";

const PLAYWRIGHT = "playwright-core@1.65.1";
const browser = () => process.env["REENACT_CHROMIUM"] ?? "/usr/bin/chromium";
const folder = () => join(serviceCache(), "playwright");
const driver = () => join(folder(), "node_modules", "playwright-core", "index.js");

/** Why no page can be opened here; null: one can. */
export function missingChromium(): string | null {
  if (existsSync(browser()) && existsSync(driver())) return null;
  return "chromium is not installed: node test/services/install.ts chromium";
}

/** The system's Chromium (Debian; asks for root) and its driver in the cache folder. Throws with what went wrong. */
export function installChromium(): string {
  if (!existsSync(browser())) installPackages("chromium", "fonts-liberation");
  mkdirSync(folder(), { recursive: true });
  const npm = ["install", "--no-audit", "--no-fund", "--prefix", folder(), PLAYWRIGHT];
  if (!existsSync(driver())) run(folder(), "npm", npm);
  return browser();
}

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync("nice", ["-n", "15", command, ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr.slice(-2000)}`);
}

interface Page {
  goto(url: string, options?: { waitUntil?: "networkidle" }): Promise<unknown>;
  innerText(selector: string): Promise<string>;
  close(): Promise<void>;
}
interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface OpenBrowser {
  /** Opens an address and waits until its text has all of these; throws with what there is after 60 s. */
  textOf(url: string, wanted: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export function launchChromium(): Promise<Browser> {
  const { chromium } = createRequire(import.meta.url)(driver()) as {
    chromium: { launch(options: object): Promise<Browser> };
  };
  return chromium.launch({ executablePath: browser(), headless: true, args: FLAGS });
}

export async function openBrowser(): Promise<OpenBrowser> {
  const opened = await launchChromium();
  return {
    async textOf(url, wanted) {
      const page = await opened.newPage();
      await page.goto(url);
      const end = Date.now() + 60_000;
      for (;;) {
        const text = await page.innerText("body");
        const absent = wanted.filter((each) => !text.includes(each));
        if (absent.length === 0) {
          await page.close();
          return text;
        }
        if (Date.now() > end) throw new Error(`the page has no ${JSON.stringify(absent)}: ${text.slice(0, 3000)}`);
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    },
    close: () => opened.close(),
  };
}
