import type { Admission } from "./query/api-deps.ts";
import type { Scope } from "./query/routes.ts";
import type { AllowList } from "./receive/allow-list.ts";
import type { Keys } from "./receive/keys.ts";

/** The door of the API: the same names, origins and keys as that of OTLP. */
export function createAdmit(keys: Keys, allowList: AllowList): (headers: Headers, scope: Scope | null) => Admission {
  return (headers, scope) => {
    const origin = headers.get("origin");
    const refused = allowList({ host: headers.get("host") ?? "", ...(origin !== null && { origin }) });
    if (refused !== null) return { admitted: false, code: "BAD_CALLER", message: refused };
    if (scope === null) return { admitted: true, tenant: "", caller: "anybody" };
    const admission = keys.admit(headers.get("authorization") ?? undefined, scope);
    if (admission.is === "known") {
      const { tenant, key } = admission.identity;
      return { admitted: true, tenant, caller: key ?? "anybody" };
    }
    const code = admission.is === "unauthenticated" ? "UNAUTHENTICATED" : "FORBIDDEN";
    return { admitted: false, code, message: admission.message };
  };
}
