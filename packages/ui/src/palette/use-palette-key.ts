import { useEffect } from "react";

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** How this machine writes the key. */
export const PALETTE_KEY = IS_MAC ? "⌘K" : "Ctrl K";

/** Calls a function for Ctrl+K, on a Mac ⌘K, where one types, too, but not while a dialog is open. */
export function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || event.shiftKey || event.altKey || event.defaultPrevented) return;
      if (event.ctrlKey === IS_MAC || event.metaKey !== IS_MAC) return;
      // else the browser takes it for a key of its own
      event.preventDefault();
      if (document.querySelector("dialog[open]") === null) open();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}
