import type { Dialect } from "@reenact/capture";
import { recognise } from "./recognise.ts";

/** The wire format of OpenAI and of the many hosts that speak it. */
export const openai: Dialect = { name: "openai", recognise };
