import { useLayoutEffect, useRef } from "react";

export type KeyBindings = Readonly<Record<string, () => void>>;

/**
 * Calls a function for a key, unless somebody types, a dialog is open, or a modifier is held. The bindings change with the screen
 * and not some time after it, so that a key never acts on what was shown before.
 */
export function useKeys(bindings: KeyBindings): void {
  const current = useRef(bindings);
  useLayoutEffect(() => void (current.current = bindings));
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("input:not([type=checkbox]), textarea, select, dialog, [data-typing]")) return;
      // Enter presses what has the focus
      if (event.key === "Enter" && target?.closest("a, button, summary")) return;
      const action = current.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
