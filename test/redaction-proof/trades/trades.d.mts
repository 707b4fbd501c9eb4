export interface PlantedValue {
  readonly trade: string;
  readonly what: string;
  readonly value: string;
}
export interface Trade {
  readonly reply: string;
  readonly api: Readonly<Record<string, unknown>>;
}
export function tradesOf(seed: number): {
  readonly trades: Readonly<Record<string, Trade>>;
  readonly values: readonly PlantedValue[];
};
