import { call } from "../api/call.ts";

const FRAGMENT = /^#login=([\w-]{20,100})$/;

/**
 * Signs in by the link that the collector printed at its start, and takes its code out of the address. A code that is used or
 * too old leaves the page as it is: it asks for a key.
 */
export async function signInByLink(): Promise<void> {
  const [, code] = FRAGMENT.exec(location.hash) ?? [];
  if (code === undefined) return;
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  await call("signInByLink", { body: { code } }).catch(() => {});
}
