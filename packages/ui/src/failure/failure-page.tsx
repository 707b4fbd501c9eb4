import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiFailure } from "../api/api-failure.ts";
import { SignIn } from "./sign-in.tsx";

interface Words {
  readonly title: string;
  /** the next step */
  readonly next: ReactNode;
}

const LIST = <Link to="/">See the runs that are there</Link>;
const WORDS: Readonly<Record<string, Words>> = {
  FORBIDDEN: {
    title: "This key may not read runs",
    next: "Sign out, and sign in with a key that has the scope “read”.",
  },
  BAD_CALLER: {
    title: "This address is not allowed",
    next: "Whoever runs the collector adds the name to listen.hosts, or the origin to listen.origins.",
  },
  NOT_FOUND: {
    title: "There is no such run",
    next: <>Correct the id. To have a run for longer, flag or keep it before it expires. {LIST}.</>,
  },
  BAD_REQUEST: { title: "That is no run", next: LIST },
  EXPIRED: {
    title: "This run is gone",
    next: <>To keep runs longer, flag them, or set retention.short higher. {LIST}.</>,
  },
  AMBIGUOUS: { title: "Several runs begin like this", next: <>Give more digits of the id. {LIST}.</> },
  PACK_MISSING: {
    title: "The store has lost this run",
    next: "Whoever runs the collector restores the pack from a backup or a version of the bucket.",
  },
  DAMAGED: {
    title: "This run is damaged",
    next: "Whoever runs the collector restores the pack from a backup or a version of the bucket.",
  },
  UNAVAILABLE: { title: "The collector is not ready", next: "Try again in a moment; /readyz names what it waits for." },
  NO_COLLECTOR: {
    title: "This server is no collector",
    next: "Check host, port and path of the address, and where a proxy before the collector sends /api.",
  },
  UNREACHABLE: { title: "The collector does not answer", next: "Start it again with: reenact up" },
};

/** A page in place of what could not be read, with the next step. */
export function FailurePage({ error, retry }: { error: Error; retry?: () => void }) {
  const { code, message, next } = error instanceof ApiFailure ? error : { code: "", message: error.message, next: "" };
  if (code === "UNAUTHENTICATED") return <SignIn />;
  const words = WORDS[code] ?? { title: "This went wrong", next };
  return (
    <section className="notice" role="alert">
      <h1>{words.title}</h1>
      {message.toLowerCase() !== words.title.toLowerCase() && <p className="reason">{message}</p>}
      <p>{words.next}</p>
      {retry &&
        (code === "UNAVAILABLE" || code === "UNREACHABLE" || code === "NO_COLLECTOR" || code === "INTERNAL") && (
          <button type="button" className="button primary" onClick={retry}>
            Try again
          </button>
        )}
    </section>
  );
}

/** For an address that is no page. */
export function NoPage() {
  return (
    <section className="notice">
      <h1>There is no such page</h1>
      <p>{LIST}</p>
    </section>
  );
}
