/** The routes that only read, with the lane that answers them: a list never waits for a large payload. */
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
  getView: "payloads",
  getItems: "payloads",
  getContext: "payloads",
  getStep: "payloads",
  getPart: "payloads",
  getSpans: "payloads",
  getEnvelope: "payloads",
  diffRuns: "payloads",
} as const satisfies Record<string, "lists" | "payloads">;

export type ReadName = keyof typeof READ_ROUTES;
export type Lane = (typeof READ_ROUTES)[ReadName];
