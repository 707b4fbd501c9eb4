import type { Run } from "../api/call.ts";

/** A run has no name before its root span has come; then its program's is the next best. */
export const runName = ({ name, service }: Pick<Run, "name" | "service">): string => name || service || "unnamed";
