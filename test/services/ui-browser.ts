import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { launchChromium } from "./chromium.ts";

/** The part of Playwright's API that the tests of the pages use. */
export interface Found {
  click(): Promise<void>;
  fill(text: string): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  innerText(): Promise<string>;
  count(): Promise<number>;
  waitFor(options?: { state?: "visible" | "hidden" | "attached" }): Promise<void>;
  first(): Found;
  getByText(text: string | RegExp, options?: { exact?: boolean }): Found;
  getAttribute(name: string): Promise<string | null>;
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
  setInputFiles(path: string): Promise<void>;
}
/** A request that the page has made and the test answers. */
export interface Route {
  fetch(): Promise<unknown>;
  fulfill(answer: { response: unknown }): Promise<void>;
}
export interface Page {
  route(url: RegExp, handle: (route: Route) => Promise<void>): Promise<unknown>;
  goto(url: string): Promise<unknown>;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Found;
  getByText(text: string | RegExp, options?: { exact?: boolean }): Found;
  getByLabel(text: string, options?: { exact?: boolean }): Found;
  locator(selector: string): Found;
  waitForURL(url: RegExp | ((url: URL) => boolean)): Promise<void>;
  url(): string;
  evaluate<T>(script: string): Promise<T>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  screenshot(options: { path: string }): Promise<unknown>;
  on(event: string, listener: (what: unknown) => void): void;
  setDefaultTimeout(ms: number): void;
  readonly mouse: { move(x: number, y: number): Promise<void>; down(): Promise<void>; up(): Promise<void> };
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
}
interface Context {
  newPage(): Promise<Page>;
  setOffline(isOffline: boolean): Promise<void>;
  close(): Promise<void>;
}

export interface UiBrowser {
  /** A page of a browser that has never been here; `troubles` gets its errors, refusals of its policy included. */
  open(options?: { theme?: "light" | "dark"; width?: number; height?: number }): Promise<UiPage>;
  close(): Promise<void>;
}
export interface UiPage extends Page {
  readonly troubles: readonly string[];
  /** What axe has against the page as it is now, one line each. */
  violations(): Promise<string[]>;
  /** From now on no request of it reaches a network. */
  goOffline(): Promise<void>;
  /** Pixels by which the document is wider than the window. */
  overflow(): Promise<number>;
  /** Writes a picture into the folder that TEST_SCREENSHOTS names. */
  picture(name: string): Promise<void>;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TIMEOUT = 20_000;

export async function openUiBrowser(): Promise<UiBrowser> {
  const browser = (await launchChromium()) as unknown as {
    newContext(options: object): Promise<Context>;
    close(): Promise<void>;
  };
  return {
    async open({ theme = "light", width = 1280, height = 900 } = {}) {
      const context = await browser.newContext({ colorScheme: theme, viewport: { width, height } });
      const page = await context.newPage();
      page.setDefaultTimeout(TIMEOUT);
      const troubles: string[] = [];
      page.on("pageerror", (error) => troubles.push(String(error)));
      page.on("console", (message) => {
        const { type, text } = message as { type(): string; text(): string };
        // a refused request is in the console by itself
        if (type.call(message) === "error" && !/status of 4\d\d/.test(text.call(message)))
          troubles.push(text.call(message));
      });
      return Object.assign(page, {
        troubles,
        async violations() {
          await page.evaluate(AXE);
          return page.evaluate<string[]>(
            `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
              nodes.map(({ target, failureSummary }) => id + " " + target.join(" ") + " " + failureSummary)))`,
          );
        },
        goOffline: () => context.setOffline(true),
        overflow: () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"),
        async picture(name: string) {
          const folder = process.env["TEST_SCREENSHOTS"];
          if (folder === undefined) return;
          mkdirSync(folder, { recursive: true });
          await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
        },
      });
    },
    close: () => browser.close(),
  };
}
