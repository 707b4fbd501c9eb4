import { count } from "@reenact/view";

/** A place at the end of a clause, quoted where its last dot would read as a full stop. */
export const placeName = (place: string): string => (place.endsWith(".") ? `"${place}"` : place);

export const belonging = (n: number): string => `${count(n, "run")} that ${n === 1 ? "belongs" : "belong"} to it`;
