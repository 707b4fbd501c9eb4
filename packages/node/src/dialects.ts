import type { Dialect } from "@reenact/capture";
import { anthropic } from "@reenact/instrumentation-anthropic";
import { openai } from "@reenact/instrumentation-openai";

/** The wire formats that this recorder knows. */
export const dialects: readonly Dialect[] = [openai, anthropic];
