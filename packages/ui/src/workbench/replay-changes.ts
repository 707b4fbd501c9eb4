/** What a replay runs or returns instead of what was recorded, as `startReplay` takes it. */
export interface ReplayChanges {
  readonly runTools: readonly string[];
  readonly set: readonly {
    readonly form: "tool" | "input";
    readonly name: string;
    readonly n: number;
    readonly value: string;
    readonly isJson: boolean;
  }[];
}
