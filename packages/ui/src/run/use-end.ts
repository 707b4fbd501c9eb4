import { useEffect, useState } from "react";

/** So near to the end of the document the reader counts as being there, pixels. */
export const END = 64;

const isAtEnd = () => scrollY + innerHeight >= document.documentElement.scrollHeight - END;

/** How many of `total` steps came since the reader was at the end of the page; `toEnd` goes there. */
export function useEnd(total: number): { readonly unseen: number; readonly toEnd: () => void } {
  const [seen, setSeen] = useState(total);
  useEffect(() => {
    const look = () => {
      if (isAtEnd()) setSeen(total);
    };
    // the list scrolls to a new end after it is laid out
    const frame = requestAnimationFrame(() => requestAnimationFrame(look));
    addEventListener("scroll", look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", look);
    };
  }, [total]);
  return {
    unseen: Math.max(0, total - seen),
    toEnd: () => scrollTo({ top: document.documentElement.scrollHeight }),
  };
}
