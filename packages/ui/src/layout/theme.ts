import { useEffect, useState } from "react";

const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
const KEY = "reenact.theme";

function stored(): Theme {
  const found = localStorage.getItem(KEY);
  return THEMES.find((each) => each === found) ?? "system";
}

/** The chosen theme, and a function that takes the next one. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(stored);
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(KEY, theme);
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!)];
}
