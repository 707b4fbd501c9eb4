import { Link } from "@tanstack/react-router";
import { offline } from "../api/offline.ts";

/** The begin of another run's id, which opens it where there is a collector. */
export function RunLink({ run }: { run: string }) {
  const id = run.slice(0, 6);
  if (offline !== null) return <code title={run}>{id}</code>;
  return (
    <Link to="/r/$run" params={{ run }}>
      <code>{id}</code>
    </Link>
  );
}
