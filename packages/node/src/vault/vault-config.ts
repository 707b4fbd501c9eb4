import { BAD_RECIPIENT, isRecipient } from "../config/settings.ts";

/** Settings of the vault in a project's configuration file. Environment variables override them. */
export interface VaultConfig {
  /** public key of a responder who may open it; with one it is kept wherever runs are sent */
  recipient?: string;
  /** days after which it is deleted; default 30 */
  days?: number;
  /** types of the policy's own patterns and detectors whose values may be kept: those that are no secrets */
  types?: string[];
}

const TYPE = /^[A-Z][A-Z_]{0,31}$/;
const MEMBERS = ["recipient", "days", "types"];

/** The given settings, or a text that says what is wrong with them. */
export function checkedVault(given: unknown): VaultConfig | false | string {
  if (given === false) return false;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return "it is an object, or false";
  const { recipient, days, types } = given as Record<string, unknown>;
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return `${unknown} is not known; it may hold ${MEMBERS.join(", ")}`;
  if (recipient !== undefined && !(typeof recipient === "string" && isRecipient(recipient)))
    return `recipient ${BAD_RECIPIENT}`;
  if (days !== undefined && !(typeof days === "number" && days > 0)) return "days is a number above 0";
  if (
    types !== undefined &&
    !(Array.isArray(types) && types.every((each) => typeof each === "string" && TYPE.test(each)))
  )
    return "types are written in capitals, like EMPLOYEE_ID";
  return given;
}
