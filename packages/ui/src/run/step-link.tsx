import { Link } from "@tanstack/react-router";

interface StepLinkProps {
  readonly step: number;
  /** ahead of the number */
  readonly words?: string;
  readonly className?: string;
  /** for those who hear it, in place of the number */
  readonly label?: string;
}

/** A number of a step that selects it. */
export function StepLink({ step, words = "", className, label }: StepLinkProps) {
  return (
    <Link
      from="/r/$run"
      to="."
      search={(before) => ({ ...before, step })}
      replace
      resetScroll={false}
      {...(className !== undefined && { className })}
      {...(label !== undefined && { "aria-label": label })}
    >
      {words}
      {step}
    </Link>
  );
}
