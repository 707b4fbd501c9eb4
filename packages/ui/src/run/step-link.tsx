import { Link } from "@tanstack/react-router";

/** A number of a step that selects it. */
export function StepLink({ step, words = "" }: { step: number; words?: string }) {
  return (
    <Link from="/r/$run" to="." search={(before) => ({ ...before, step })} replace resetScroll={false}>
      {words}
      {step}
    </Link>
  );
}
