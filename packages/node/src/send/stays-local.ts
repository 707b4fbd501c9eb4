const DESTINATIONS = ["REENACT_ENDPOINT", "REENACT_FORWARD"] as const;
/** only after REENACT_EXPORT=otel; without them the standard's default is this machine */
const OTEL = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] as const;
const LOCAL = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Whether all that the environment names as a destination of records is this machine. */
export function staysLocal(env: Readonly<Record<string, string | undefined>>): boolean {
  const otel = env["REENACT_EXPORT"]?.trim().toLowerCase() === "otel";
  return [...DESTINATIONS, ...(otel ? OTEL : [])].every((name) => {
    const value = env[name]?.trim() ?? "";
    return value === "" || value.split(",").every((each) => isLocal(each.trim()));
  });
}

function isLocal(destination: string): boolean {
  try {
    return LOCAL.test(new URL(destination).hostname);
  } catch {
    // what cannot be read may be anywhere
    return false;
  }
}
