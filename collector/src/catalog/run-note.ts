/** Name of a cursor that belongs to one run: it goes when the run's row is removed. `name`: letters, digits, `-`, `_`. */
export const runNote = (tenant: string, run: string, name: string): string => `${prefix(tenant, run)}:${name}`;

/** All notes of a run have names from the first on and below the second. */
export const runNotes = (tenant: string, run: string): readonly [string, string] => [
  `${prefix(tenant, run)}:`,
  `${prefix(tenant, run)};`,
];

const prefix = (tenant: string, run: string) => `run:${tenant}/${run}`;
