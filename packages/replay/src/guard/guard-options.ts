import type { Refuse } from "./refused-effect.ts";

export interface GuardOptions {
  refuse: Refuse;
  /** where a datagram was to go */
  onDatagram(target: string): void;
  /** the program sends itself a signal without a listener */
  onOwnDeath(signal: string): void;
  /** whether the running code is under the guard at all */
  applies(): boolean;
  /** whether a connection to `host:port`, or a look-up of a host, is let through: it belongs to a live call. Default: none is */
  allows?(target: string): boolean;
  /** the module that puts a thread under guard when it starts; null: there is none, and threads are refused */
  readonly threadPreload: string | null;
}
