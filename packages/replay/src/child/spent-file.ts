/** Where a replay keeps what its live calls have cost so far, in US dollars, for the case that it is killed. */
export const spentFile = (report: string): string => `${report}.spent`;
