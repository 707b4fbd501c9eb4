import dns from "node:dns";
import net from "node:net";
import { effectFrame } from "../run/context.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { leaked } from "./leaked.ts";
import { isConnecting } from "./sockets.ts";

type LookUp = (this: unknown, name: unknown, ...rest: unknown[]) => unknown;

/** Counts DNS look-ups: functions and resolvers, with callbacks and with promises. `localhost` and addresses are none. */
export function watchLookUps(): (() => void)[] {
  const owners = [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype] as object[];
  return owners.flatMap((owner) =>
    namesOf(owner)
      .filter((name) => /^(lookup|resolve|reverse)/.test(name))
      .map((name) => replaceMethod<LookUp>(owner, name, watched, "count")),
  );
}

function namesOf(owner: object): string[] {
  const names = new Set<string>();
  for (let o: object | null = owner; o !== null && o !== Object.prototype; o = Reflect.getPrototypeOf(o))
    for (const name of Object.getOwnPropertyNames(o)) names.add(name);
  return [...names];
}

function watched(real: LookUp): LookUp {
  return function (this: unknown, name, ...rest) {
    if (
      effectFrame() !== null &&
      !isConnecting() &&
      typeof name === "string" &&
      name !== "localhost" &&
      net.isIP(name) === 0
    )
      leaked("dns", name);
    return Reflect.apply(real, this, [name, ...rest]);
  };
}
