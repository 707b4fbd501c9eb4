import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../api/call.ts";
import { type Offline, offline } from "../api/offline.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { Palette } from "../palette/palette.tsx";
import { PALETTE_KEY, usePaletteKey } from "../palette/use-palette-key.ts";
import { Help } from "./help.tsx";
import { PAGES } from "./pages.ts";
import { useTheme } from "./theme.ts";
import { useKeys } from "./use-keys.ts";

/** What stands around every page. */
export function Layout() {
  const [helping, setHelping] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  useKeys({ "?": { does: "Show all keys", act: () => setHelping(true) } });
  usePaletteKey(() => setChoosing(true));
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="bar">
        {offline === null ? <Site /> : <Exported offline={offline} />}
        <button
          type="button"
          className="button quiet palette-button"
          onClick={() => setChoosing(true)}
          title={`Go to … (${PALETTE_KEY})`}
        >
          <span aria-hidden="true">
            ⌕ <kbd>{PALETTE_KEY}</kbd>
          </span>
          <span className="sr-only">Go to a run, a page or an action</span>
        </button>
        <ThemeButton />
        <button type="button" className="button quiet" onClick={() => setHelping(true)} aria-label="Keys">
          ?
        </button>
      </header>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      {helping && <Help close={() => setHelping(false)} />}
      {isChoosing && <Palette close={() => setChoosing(false)} />}
    </>
  );
}

function Site() {
  return (
    <>
      <Link to="/" className="brand">
        <Mark />
        Reenact
      </Link>
      <nav className="pages-nav" aria-label="Pages of this collector">
        {PAGES.map(([to, name]) => (
          <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            {name}
          </Link>
        ))}
      </nav>
      <Account />
    </>
  );
}

/** In place of the other pages: what this file is. */
function Exported({ offline: { source, steps, left } }: { offline: Offline }) {
  return (
    <>
      <span className="brand">
        <Mark />
        Reenact
      </span>
      <span className="spacer" />
      <span className="account exported">
        {left > 0 && (
          <span className="badge warn" title="Its other steps are in the .reenact file, and in reenact up">
            values of {steps - left} of {steps} steps
          </span>
        )}
        <span>
          <RecordedText>{source}</RecordedText>
        </span>
      </span>
    </>
  );
}

function Account() {
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: ["who"], queryFn: ({ signal }) => call("whoAmI", { signal }), retry: false });
  if (!data || data.key === "anybody") return <span className="account" />;
  const signOut = async () => {
    await call("signOut", { body: {} });
    // nothing of the account stays on the screen
    client.clear();
    location.reload();
  };
  return (
    <span className="account">
      <span title={`key ${data.key}, project ${data.project}`}>{data.key}</span>
      <button type="button" className="button quiet" onClick={() => void signOut()}>
        Sign out
      </button>
    </span>
  );
}

function ThemeButton() {
  const [theme, next] = useTheme();
  return (
    <button
      type="button"
      className="button quiet"
      onClick={next}
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}`}
    >
      {theme === "system" ? "◐" : theme === "light" ? "☀" : "☾"}
    </button>
  );
}

function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <circle cx="11" cy="11" r="9.5" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle cx="11" cy="11" r="4.5" fill="currentColor" />
    </svg>
  );
}
