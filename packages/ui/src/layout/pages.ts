/** The pages of a collector, in the order in which they are named. */
export const PAGES = [
  ["/", "Runs"],
  ["/errors", "Errors"],
  ["/tests", "Tests"],
  ["/setup", "Setup"],
  ["/settings", "Settings"],
] as const;
