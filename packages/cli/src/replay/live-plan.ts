import { isOwnAddress, provider, PROVIDERS } from "@reenact/providers";
import { type LiveOptions, seesOwnValue, type Tape } from "@reenact/replay";
import { dollars, oneLine } from "@reenact/view";

/** A host to which calls of models were recorded, and what it would get. */
interface LiveRecipient {
  /** with its port */
  readonly host: string;
  readonly provider: string;
  /** variables from which its SDKs take a key, those of this machine; `isSet`: here, and a replay uses the value */
  readonly variables: { readonly name: string; readonly isSet: boolean }[];
  /** false: nothing is sent there, since neither its provider nor the caller names it */
  readonly isAllowed: boolean;
}

/** What a replay with something live would send, and where. */
export interface LivePlan {
  readonly asked: string;
  readonly recipients: LiveRecipient[];
  /** origins beside the providers' own hosts to which the program may send, too, if its code now does */
  readonly alsoAllowed: string[];
  /** US dollars; null: no limit */
  readonly maxCost: number | null;
}

/**
 * Where live calls of models would go by the record, and whose keys they would take.
 *
 * @param kept variables that keep the caller's value
 */
export function livePlan(
  { asked, after, origins, maxCost }: LiveOptions,
  tape: Tape,
  kept: readonly string[],
): LivePlan {
  const recipients = new Map<string, LiveRecipient>();
  for (const { kind, index, record } of tape.ordered) {
    const url = URL.parse(record.exchange?.request.url ?? "");
    if (kind === "HTTP" || url === null || index < (after ?? 0)) continue;
    const name = record.op.split(".")[0] ?? "";
    const row = PROVIDERS.some((each) => each.name === name) ? provider(name) : null;
    recipients.set(`${name} ${url.origin}`, {
      host: oneLine(url.host, 200),
      provider: row?.title ?? oneLine(name, 60),
      variables: (row?.keys ?? []).map((key) => ({ name: key, isSet: seesOwnValue(tape, key, process.env, kept) })),
      isAllowed: origins.includes(url.origin) || isOwnAddress(name, url),
    });
  }
  return { asked: oneLine(asked, 300), recipients: [...recipients.values()], alsoAllowed: [...origins], maxCost };
}

/** The plan in lines, for a terminal. */
export function planLines({ asked, recipients, alsoAllowed, maxCost }: LivePlan): string {
  const lines = recipients.map(({ host, provider: title, variables, isAllowed }) => {
    const keys = variables
      .map(({ name, isSet }) => `${name}${isSet ? "" : " (not set, or shorter than 8 characters)"}`)
      .join(" or ");
    return isAllowed
      ? `  ${host} gets calls of ${title}, with the key in ${keys === "" ? "no variable" : keys}`
      : `  ${host} gets nothing: no option and no variable of yours names it (--to ${host})`;
  });
  return [
    `${asked}: nothing was started. By the record:`,
    ...(lines.length === 0 ? ["  no call of a model would be sent"] : lines),
    ...(alsoAllowed.length === 0 ? [] : [`  also allowed: ${oneLine(alsoAllowed.join(", "), 300)}`]),
    `  ${maxCost === null ? "no limit of cost" : `nothing is sent once ${dollars(maxCost)} are spent`}`,
    "",
  ].join("\n");
}
