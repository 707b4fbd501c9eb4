import { scale } from "../scale.ts";

export type Theme = "light" | "dark";

export interface Window {
  readonly width: number;
  readonly height: number;
}

const WIDE: Window = { width: 1440, height: 900 };
const NARROW: Window = { width: 360, height: 740 };

/** Windows in which pages are looked at in a theme: both at full size, else light pages in a wide one and dark ones in a narrow one. */
export function windowsFor(theme: Theme): Window[] {
  const one = [theme === "light" ? WIDE : NARROW];
  return scale(one, one, [WIDE, NARROW]);
}
