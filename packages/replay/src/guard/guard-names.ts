import dns from "node:dns";
import net from "node:net";
import type { GuardOptions } from "./guard-options.ts";
import { named } from "./named.ts";

type LookUp = (this: unknown, ...args: unknown[]) => unknown;
type Owner = Record<string, LookUp>;

/** Refuses look-ups of names: functions and resolvers, with callbacks and with promises. */
export function guardNames({
  refuse,
  applies,
  allows,
}: Pick<GuardOptions, "refuse" | "applies" | "allows">): () => void {
  const guard = (owner: Owner, refused: (error: Error, args: unknown[]) => unknown): (() => void)[] =>
    Object.getOwnPropertyNames(owner)
      .filter((name) => /^(lookup|resolve|reverse)/.test(name) && typeof owner[name] === "function")
      .map((name) => {
        const real = owner[name] as LookUp;
        owner[name] = named(real, function (this: unknown, ...args: unknown[]) {
          if (!applies() || needsNobody(name, args[0]) || allows?.(String(args[0])) === true)
            return real.apply(this, args);
          return refused(refuse("dns", String(args[0])), args);
        });
        return () => void (owner[name] = real);
      });
  const called = (error: Error, args: unknown[]): object => {
    const callback = args.at(-1);
    if (typeof callback === "function") process.nextTick(callback, error);
    return {};
  };
  const promised = async (error: Error): Promise<never> => {
    throw error;
  };
  // Resolvers too: `setServers` puts theirs in the place of the module's functions
  const undo = [
    ...[dns, dns.Resolver.prototype].flatMap((owner) => guard(owner as unknown as Owner, called)),
    ...[dns.promises, dns.promises.Resolver.prototype].flatMap((owner) => guard(owner as unknown as Owner, promised)),
  ];
  return () => undo.forEach((step) => step());
}

/** Whether this machine alone knows the answer. Asked for the name of an address, or for records, it asks a server. */
function needsNobody(call: string, name: unknown): boolean {
  if (typeof name !== "string" || /^(localhost|.*\.localhost|)$/i.test(name)) return true;
  const isLoopback = /^(127\.|::1$)/.test(name);
  return call === "lookup" ? net.isIP(name) !== 0 : isLoopback && !call.startsWith("resolve");
}
