/** Where a journal in Kafka is; it can be sent to another thread. */
export interface KafkaAddress {
  readonly driver: "kafka";
  /** host:port of some brokers; they name the others */
  readonly brokers: readonly string[];
  readonly topic: string;
  /** of the processes that assemble */
  readonly group: string;
  readonly tls: boolean;
  /** PEM file of the authority that signed the brokers' certificates; null: the authorities that Node knows */
  readonly ca: string | null;
  readonly sasl: { readonly mechanism: SaslMechanism; readonly username: string; readonly password: string } | null;
  /** a process of the group that is not heard of for so long loses its partitions, milliseconds */
  readonly sessionMs: number;
  /** of a topic that is not there yet */
  readonly partitions: number;
  /** a topic on one broker, whose answer is no promise beyond that broker */
  readonly allowSingleBroker: boolean;
  /** for what is read and not sealed yet; it is emptied at each start */
  readonly spool: string;
}

export type SaslMechanism = "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512";

/** For people: where it is, without a password. */
export const kafkaPlace = ({ brokers, topic }: KafkaAddress): string => `kafka://${brokers.join(",")}/${topic}`;
