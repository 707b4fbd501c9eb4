import type { Admission } from "../query/api-deps.ts";
import type { Asked } from "../query/routes.ts";
import type { AllowList } from "../receive/allow-list.ts";
import { sessionIdOf } from "../query/session/session-cookie.ts";
import type { Sessions } from "../query/session/sessions.ts";
import { type Keys, SCOPES, type Scope } from "../receive/keys.ts";

/** The door of the API: the same names, origins and keys as that of OTLP; a page that has signed in names a session instead. */
export function createAdmit(
  keys: Keys,
  allowList: AllowList,
  sessions: Sessions,
): (headers: Headers, scope: Asked | null) => Admission {
  function admissionOf(headers: Headers, scope: Scope): ReturnType<Keys["admit"]> {
    const given = headers.get("authorization");
    const session = given === null ? sessionIdOf(headers) : null;
    const holder = session === null ? null : sessions.keyOf(session);
    if (holder === null) return keys.admit(given ?? undefined, scope);
    if (typeof holder === "string") return keys.admit(`Bearer ${holder}`, scope);
    if (holder.scopes.has(scope)) return { is: "known", identity: holder };
    return { is: "forbidden", message: `a session of a login link has no scope ${scope}` };
  }

  return (headers, scope) => {
    const origin = headers.get("origin");
    const refused = allowList({ host: headers.get("host") ?? "", ...(origin !== null && { origin }) });
    if (refused !== null) return { admitted: false, code: "BAD_CALLER", message: refused };
    if (scope === null) return { admitted: true, tenant: "", caller: "anybody", scopes: [], key: null };
    const tried = (scope === "any" ? SCOPES : [scope]).map((each) => admissionOf(headers, each));
    const admission = tried.find(({ is }) => is === "known") ?? tried[0]!;
    if (admission.is === "known") {
      const { tenant, key: name, scopes } = admission.identity;
      return { admitted: true, tenant, caller: name ?? "anybody", scopes: [...scopes], key: name };
    }
    const code = admission.is === "unauthenticated" ? "UNAUTHENTICATED" : "FORBIDDEN";
    return { admitted: false, code, message: admission.message };
  };
}
