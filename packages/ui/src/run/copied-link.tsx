import { useEffect, useState } from "react";

/** How long it is said, milliseconds. */
const SAID = 2500;

/** Copies texts, such as the address of the page with tab and selected step, and says so. */
export function useCopied() {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), SAID);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (what: string, text: string, otherwise = "") => {
    // a page without TLS from another machine has no clipboard
    const words = await (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("none"))).then(
      () => `${what} copied`,
      () => `This browser lets the page copy nothing${otherwise}`,
    );
    setSaid(words);
  };
  const notice = (
    <p className={said === "" ? "sr-only" : "copied-link"} role="status">
      {said}
    </p>
  );
  return {
    notice,
    say: setSaid,
    copy,
    copyLink: () => void copy("Link", location.href, "; the link is in the address bar"),
  };
}
