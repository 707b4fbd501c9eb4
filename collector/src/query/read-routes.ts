/**
 * Routes that are answered by reading alone, by the lane in which they are read: what is quick never waits for what is large.
 */
export const READ_ROUTES = {
  listRuns: "lists",
  getRun: "lists",
  getFacets: "lists",
  getSeries: "lists",
  listErrors: "lists",
  listSessions: "lists",
  getSession: "lists",
  listUsers: "lists",
  getUser: "lists",
  getTree: "payloads",
  getStep: "payloads",
  getPart: "payloads",
  getSpans: "payloads",
  getEnvelope: "payloads",
  diffRuns: "payloads",
} as const satisfies Record<string, "lists" | "payloads">;

export type ReadName = keyof typeof READ_ROUTES;
export type Lane = (typeof READ_ROUTES)[ReadName];
