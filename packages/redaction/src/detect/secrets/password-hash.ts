import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";

/** bcrypt, the crypt forms of Unix and Apache, argon2: marks, costs, salt and digest. */
const HASH =
  /\$(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}|(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|(?:y|7|gy)\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|argon2(?:id|i|d)\$v=\d{1,3}\$m=\d{1,9},t=\d{1,6},p=\d{1,4}\$[A-Za-z0-9+/]{8,128}\$[A-Za-z0-9+/]{16,128})(?![./A-Za-z0-9])/y;

/** The hash of a password in its usual form; the character behind its first `$` stands at `at`. */
export function passwordHash(text: string, at: number, area: Area): Hit | null {
  HASH.lastIndex = at - 1;
  if (!HASH.test(text) || HASH.lastIndex > area.to) return null;
  return { start: at - 1, end: HASH.lastIndex, type: "AUTH", rule: "auth.hash" };
}
