import type { Hook } from "@reenact/capture/hook";
import { NumberedNames } from "../numbered-names.ts";

/** What is used of a `Cron`. */
interface Cron {
  getPattern(): string | undefined;
  readonly name?: string;
  readonly _states: { readonly currentTimeout?: NodeJS.Timeout };
}

const schedules = new NumberedNames();

export const croner: Hook = {
  name: "jobs/croner",
  title: "jobs of croner",
  files: [
    {
      packages: ["croner"],
      path: /^dist\/croner\.c?js$/,
      // the modules are published with shortened names
      value: /export\{(?:[^}]*,)?([\w$]+) as Cron[,}]|\bCron:\(\)=>([\w$]+)/,
    },
  ],
  versions: { from: "11.0.0", below: "12.0.0" },
  jobs: {
    by: "croner",
    begins: "_schedule",
    carriesOut: "_trigger",
    still: (cron) => clearTimeout((cron as Cron)._states.currentTimeout),
    from: (cron) => schedules.nameOf(cron, (cron as Cron).name ?? (cron as Cron).getPattern() ?? "once"),
    read([date]) {
      const at = (date instanceof Date ? date : new Date()).toISOString();
      return { told: () => ({ date: at }) };
    },
    given: ({ date }) => [new Date(String(date))],
  },
};
