/** What a process of a collector that is spread over several can do. */
export const ROLES = ["receive", "assemble", "query", "forward", "retain"] as const;

export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);
