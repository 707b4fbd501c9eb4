import { useSyncExternalStore } from "react";

const isVisible = () => document.visibilityState === "visible";
function follow(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

/** Whether the page is on a screen; in a hidden tab it is not. */
export const useVisible = (): boolean => useSyncExternalStore(follow, isVisible);
