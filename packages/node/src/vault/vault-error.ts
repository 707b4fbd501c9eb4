/** Why a vault cannot be opened. */
export type VaultFault = "none" | "erased" | "expired" | "no-key" | "wrong-key" | "damaged" | "newer" | "unreadable";

/** `message`: what failed, where and why; `next`: the command or step that helps. */
export class VaultError extends Error {
  readonly fault: VaultFault;
  readonly next: string;

  constructor(fault: VaultFault, message: string, next: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "VaultError";
    this.fault = fault;
    this.next = next;
  }
}
