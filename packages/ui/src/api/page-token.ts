const KEY = "reenact.token";
const FRAGMENT = /^#token=([\w-]{16,100})$/;

/**
 * The token of the link that `reenact up -- <command>` printed; empty: the pages were not opened by it. It is taken out of the address, so
 * that no copied link has it, and kept for other tabs of this browser.
 */
export const pageToken: string = takeToken();

function takeToken(): string {
  const [, given] = FRAGMENT.exec(location.hash) ?? [];
  if (given === undefined) return localStorage.getItem(KEY) ?? "";
  localStorage.setItem(KEY, given);
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  return given;
}
