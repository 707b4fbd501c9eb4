/** Stands in a path behind the name of an object, before the role that the object says it has: no name holds it. */
export const ROLE_MARK = "\u0001";

/** Members in which providers put the system prompt beside the messages. */
const SYSTEM_MEMBERS = new Set(["system", "instructions", "system_instruction", "systemInstruction"]);
/** Members that make an object a request of a model. */
const REQUEST_MEMBERS = new Set(["messages", "input", "contents"]);
const ROLE = /^[A-Za-z_]{1,32}$/;

/** `developer` is what newer models call `system`. */
export function roleOf(text: string): string {
  const role = text.toLowerCase();
  return role === "developer" ? "system" : ROLE.test(role) ? role : "";
}

/** A name of a path, with the role of the object that stands there. */
export const withRole = (name: string | number, role: string): string =>
  role === "" ? String(name) : `${name}${ROLE_MARK}${role}`;

/** A member of the outermost object of a request that holds the system prompt. */
export const isSystemMember = (name: string): boolean => SYSTEM_MEMBERS.has(name);

export const isRequestMember = (name: string): boolean => REQUEST_MEMBERS.has(name);
