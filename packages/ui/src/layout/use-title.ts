import { safe } from "@reenact/view/text";
import { useEffect } from "react";

/** The title of the window. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${safe(title)} · Reenact`;
  }, [title]);
}
