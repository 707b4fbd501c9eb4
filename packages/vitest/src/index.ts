import { expect } from "vitest";
import { matchers, type ReplayMatchers } from "./matchers.ts";

export {
  type ExpectedArguments,
  type FixtureReplay,
  MockError,
  type MockLLM,
  mockLLM,
  type ModelCall,
  replay,
  type ReplayFixtureOptions,
} from "@reenact/testing";
export type { ReplayMatchers } from "./matchers.ts";

expect.extend(matchers);

declare module "vitest" {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends ReplayMatchers<R> {}
}
