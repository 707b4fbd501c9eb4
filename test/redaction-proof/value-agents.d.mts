export const PERSON: Readonly<
  Record<"email" | "other" | "card" | "sameCard" | "iban" | "phone" | "ip" | "note" | "secret", string>
>;
export const agents: Readonly<Record<string, () => Promise<string>>>;
export function isVerbatim(name: string): boolean;
