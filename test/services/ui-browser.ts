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
  fulfill(answer: { response: unknown } | { status: number; contentType: string; body: string }): Promise<void>;
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
  emulateMedia(media: { colorScheme: "light" | "dark" }): Promise<void>;
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
  /** What of the page cannot be seen or scrolled to: it stands beyond the right edge, or its text is cut without a mark. */
  cut(): Promise<string[]>;
  /** Goes on in another theme and at another width. */
  look(theme: "light" | "dark", width: number): Promise<void>;
  /** Writes a picture into the folder that TEST_SCREENSHOTS names. */
  picture(name: string): Promise<void>;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TIMEOUT = 20_000;
/** An ellipsis is a mark, a box that scrolls shows the rest, and what is for readers of a screen is not to be seen. */
const CUT = `(() => {
  const isMarked = ({ overflowX, textOverflow }) => /auto|scroll/.test(overflowX) || textOverflow === "ellipsis";
  const hasMark = (of) => of !== null && (isMarked(getComputedStyle(of)) || hasMark(of.parentElement));
  const isForHearing = (of) => of.closest(".sr-only, .skip, [aria-hidden=true], .cm-editor, svg") !== null;
  return [...document.querySelectorAll("body *")].flatMap((of) => {
    const { right, width, height } = of.getBoundingClientRect();
    if (width < 2 || height < 2 || isForHearing(of) || hasMark(of)) return [];
    const style = getComputedStyle(of);
    const isCut = of.scrollWidth > of.clientWidth + 1 && style.overflowX === "hidden";
    const isBeyond = right > innerWidth + 1;
    const name = of.tagName.toLowerCase() + "." + [...of.classList].join(".") + " " + of.textContent.slice(0, 40);
    return isCut || isBeyond ? [name] : [];
  });
})()`;

export async function openUiBrowser(): Promise<UiBrowser> {
  const browser = (await launchChromium()) as unknown as {
    newContext(options: object): Promise<Context>;
    close(): Promise<void>;
  };
  return {
    async open({ theme = "light", width = 1440, height = 900 } = {}) {
      const context = await browser.newContext({
        colorScheme: theme,
        // a colour on its way to another one has any contrast
        reducedMotion: "reduce",
        viewport: { width, height },
      });
      const page = await context.newPage();
      page.setDefaultTimeout(TIMEOUT);
      const troubles: string[] = [];
      let [shownTheme, shownWidth] = [theme, width];
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
        cut: () => page.evaluate<string[]>(CUT),
        async look(nextTheme: "light" | "dark", nextWidth: number) {
          [shownTheme, shownWidth] = [nextTheme, nextWidth];
          await page.emulateMedia({ colorScheme: nextTheme });
          await page.setViewportSize({ width: nextWidth, height });
        },
        overflow: () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"),
        async picture(name: string) {
          const folder = process.env["TEST_SCREENSHOTS"];
          if (folder === undefined) return;
          mkdirSync(folder, { recursive: true });
          await page.screenshot({ path: join(folder, `${name}-${shownTheme}-${shownWidth}.png`) });
        },
      });
    },
    close: () => browser.close(),
  };
}
