import { useEffect, useRef, useState } from "react";
import { useVisible } from "./use-visible.ts";

/** "waiting": it is being opened, or the tab is hidden; "on": it is open; "off": it cannot be had now, so that the page has to poll. */
export type StreamState = "waiting" | "on" | "off";

/** A stream that is not open after so long counts as off, milliseconds: some proxies hold an answer back. */
const PATIENCE = 5000;
/** A refused stream is tried again after so long, milliseconds. */
const REFUSED = 30_000;

/**
 * Follows server-sent events, given by name. In a hidden tab the stream is closed, since a browser opens only six connections to
 * a host over HTTP/1.1 and a collector 200 streams; it goes on behind the last event when the tab is shown again. `address` null:
 * nothing is followed.
 */
export function useEvents(
  address: string | null,
  handlers: Readonly<Record<string, (data: unknown) => void>>,
): StreamState {
  const isVisible = useVisible();
  const current = useRef(handlers);
  useEffect(() => void (current.current = handlers));
  const last = useRef({ address: "", id: "" });
  const [tries, setTries] = useState(0);
  const [state, setState] = useState<StreamState>("waiting");
  const names = Object.keys(handlers).join(" ");

  useEffect(() => {
    if (address === null || !isVisible) return;
    if (last.current.address !== address) last.current = { address, id: "" };
    const url = new URL(address);
    // a new `EventSource` cannot send the header
    if (last.current.id !== "") url.searchParams.set("last", last.current.id);
    const source = new EventSource(url);
    let again: ReturnType<typeof setTimeout> | undefined;
    const patience = setTimeout(() => setState("off"), PATIENCE);
    source.addEventListener("open", () => {
      clearTimeout(patience);
      setState("on");
    });
    source.addEventListener("error", () => {
      clearTimeout(patience);
      setState("off");
      // the browser opens a broken stream again, but not one that was refused
      if (source.readyState === EventSource.CLOSED) again = setTimeout(() => setTries((before) => before + 1), REFUSED);
    });
    for (const name of names.split(" "))
      source.addEventListener(name, (event) => {
        if (event.lastEventId !== "") last.current.id = event.lastEventId;
        current.current[name]?.(JSON.parse(event.data as string));
      });
    return () => {
      clearTimeout(patience);
      clearTimeout(again);
      source.close();
      setState("waiting");
    };
  }, [address, isVisible, names, tries]);
  return state;
}
