/** Name of the cursor in the catalog of an assembler that reads the whole journal. */
export const ASSEMBLER = "assembler";
