import { remembered } from "../cache/remembered.ts";

/** The words of a name: `clientSecret`, `client-secret` and `CLIENT_SECRET` are `client`, `secret`. Lower case. */
export const nameWords = remembered((name): readonly string[] =>
  name
    .replace(/([a-zß-öø-ÿ0-9])([A-ZÀ-ÖØ-Þ])/g, "$1_$2")
    .replace(/([A-ZÀ-ÖØ-Þ])([A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])/g, "$1_$2")
    .toLowerCase()
    .split(/[^A-Za-z0-9\u00c0-\u1fff\u3040-\ud7ff']+/)
    .filter((word) => word !== ""),
);
