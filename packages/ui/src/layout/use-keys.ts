import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

/** What a key does. One with a name is offered by the palette, too. */
export interface NamedAction {
  readonly does: string;
  readonly act: () => void;
}
export type KeyBindings = Readonly<Record<string, (() => void) | NamedAction>>;

const LETTERS = "reenact.letter-keys";
/** Whether keys of one character do something: who dictates, or touches keys by accident, can switch them off. */
export const hasLetterKeys = (): boolean => localStorage.getItem(LETTERS) !== "off";
export function setLetterKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(LETTERS);
  else localStorage.setItem(LETTERS, "off");
}

/** The bindings of all that is on the screen, as they are at the time of the call. */
const mounted = new Set<() => KeyBindings>();
const watchers = new Set<() => void>();
/** Counts the drawings of what has bindings. */
let drawn = 0;
function changed(): void {
  drawn++;
  for (const watcher of watchers) watcher();
}
function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The named actions of the page that is on the screen now, each with its key; those of what came last stand first. */
export function useNamedKeys(): readonly (NamedAction & { readonly key: string })[] {
  useSyncExternalStore(watch, () => drawn);
  const found = new Map<string, (() => void) | NamedAction>();
  for (const read of [...mounted].toReversed())
    for (const [key, action] of Object.entries(read())) if (!found.has(key)) found.set(key, action);
  const named = [...found].flatMap(([key, action]) => (typeof action === "function" ? [] : [{ key, ...action }]));
  // an object names its digits first
  return [...named.filter(({ key }) => !/\d/.test(key)), ...named.filter(({ key }) => /\d/.test(key))];
}

/** Whether a key is meant for something else than the bindings of the page. */
function isForElse(event: KeyboardEvent): boolean {
  if (event.key.length === 1 && !hasLetterKeys()) return true;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const focused = event.target instanceof HTMLElement ? event.target : null;
  // until the next drawing the browser gives keys to what had the focus in a dialog that has been closed
  const target = focused?.closest("dialog:not([open])") ? null : focused;
  if (target?.closest("input:not([type=checkbox]), textarea, select, dialog, [data-typing]")) return true;
  // Enter presses what has the focus
  return event.key === "Enter" && Boolean(target?.closest("a, button, summary"));
}

/**
 * Calls a function for a key, unless somebody types, a dialog is open, or a modifier is held. The bindings change with the screen
 * and not some time after it, so that a key never acts on what was shown before.
 */
export function useKeys(bindings: KeyBindings): void {
  const current = useRef(bindings);
  useLayoutEffect(() => {
    current.current = bindings;
    changed();
  });
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const action = current.current[event.key];
      if (!action || isForElse(event)) return;
      event.preventDefault();
      if (typeof action === "function") action();
      else action.act();
    };
    const read = () => current.current;
    mounted.add(read);
    changed();
    document.addEventListener("keydown", press);
    return () => {
      mounted.delete(read);
      changed();
      document.removeEventListener("keydown", press);
    };
  }, []);
}
