import type { UiPage } from "./ui-browser.ts";

/** On the page of a run of the refund agent: goes to the step that failed by its key, and opens each tab by its key. */
export async function openEveryTab(page: UiPage): Promise<void> {
  await page.keyboard.press("n");
  await page.waitForURL(/step=4/);
  for (const [key, shows] of [
    ["2", ".bars"],
    ["3", ".context-texts"],
    ["4", ".empty"],
    ["5", ".raw .part-body pre"],
    ["1", ".card"],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(shows).first().waitFor();
  }
}
