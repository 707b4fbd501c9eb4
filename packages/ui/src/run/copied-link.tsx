import { useEffect, useState } from "react";

/** How long it is said, milliseconds. */
const SAID = 2500;

/** Copies the address of the page, with tab and selected step, and says so. */
export function useCopiedLink() {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), SAID);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    // a page without TLS from another machine has no clipboard
    const words = await (navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error("none"))).then(
      () => "Link copied",
      () => "This browser lets the page copy nothing; the link is in the address bar",
    );
    setSaid(words);
  };
  const notice = (
    <p className={said === "" ? "sr-only" : "copied-link"} role="status">
      {said}
    </p>
  );
  return { notice, copy: () => void copy() };
}
