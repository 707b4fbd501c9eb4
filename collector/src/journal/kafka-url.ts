/** The parts of `kafka://user:password@host:port,host:port/topic`. */
export interface KafkaUrl {
  /** host:port */
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly user: string | null;
  readonly password: string;
}

const FORM = /^kafka:\/\/(?:([^@/]*)@)?([^@/?#]+)\/([A-Za-z0-9._-]{1,200})$/;
const BROKER = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?$/;
const PORT = 9092;

/** null: it is none. */
export function parseKafkaUrl(text: string): KafkaUrl | null {
  const [, who, hosts, topic] = FORM.exec(text) ?? [];
  if (hosts === undefined || topic === undefined) return null;
  const brokers: string[] = [];
  for (const each of hosts.split(",")) {
    const [found, port] = BROKER.exec(each) ?? [];
    if (found === undefined || Number(port ?? PORT) > 65_535) return null;
    brokers.push(port === undefined ? `${each}:${PORT}` : each);
  }
  if (who === undefined) return { brokers, topic, user: null, password: "" };
  const colon = who.indexOf(":");
  try {
    const user = decodeURIComponent(colon < 0 ? who : who.slice(0, colon));
    return user === ""
      ? null
      : { brokers, topic, user, password: decodeURIComponent(colon < 0 ? "" : who.slice(colon + 1)) };
  } catch {
    // a % of a password that is written as it is
    return null;
  }
}
