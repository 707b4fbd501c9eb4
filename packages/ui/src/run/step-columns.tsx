import type { ReactNode } from "react";

/** The head of a table of steps: number, kind and name, then what the table says of each. */
export function StepColumns({ children }: { children: ReactNode }) {
  return (
    <thead>
      <tr>
        <th scope="col" className="amount">
          Step
        </th>
        <th scope="col">Kind</th>
        <th scope="col">Name</th>
        {children}
      </tr>
    </thead>
  );
}
