import type { ModelPrices } from "@reenact/envelope/schema";
import type { RequestEdit } from "@reenact/providers";
import type { GivenResult } from "../tape/given-results.ts";

/** A change of requests that go out live. The value stands in the plan, or in a file that is only read. */
export interface PlannedEdit {
  readonly what: RequestEdit["what"];
  /** of a parameter; else null */
  readonly name: string | null;
  /** number of the recorded step, from 0; null: every call of a model */
  readonly step: number | null;
  readonly value: GivenResult["value"];
}

/** Which calls of a replay are real, and how they are changed. Part of its plan. */
export interface LiveOptions {
  /** calls of models */
  readonly models: boolean;
  /** bodies of tools and steps, with all that they do */
  readonly tools: boolean;
  /** names of providers, hosts, tools, steps and questions */
  readonly names: readonly string[];
  /** so many steps of the record are served, whatever else is live; null: each call that is as recorded is served */
  readonly after: number | null;
  /**
   * a suspended run goes on: all that it recorded is served, and whatever comes behind the answers that it waited for is real; default:
   * no
   */
  readonly resumes?: boolean;
  /** a fork: answers of persons behind the hand-over are not those of the record; default: they are, where the question is the same */
  readonly dropsAnswers?: boolean;
  readonly edits: readonly PlannedEdit[];
  /** US dollars after which nothing more is sent; null: no limit */
  readonly maxCost: number | null;
  readonly prices: ModelPrices | null;
  /** where requests go, beside the own hosts of providers: origins of URLs, as `https://host:8443` */
  readonly origins: readonly string[];
  /** requests go out although they hold tokens that stand for redacted values */
  readonly sendsTokens: boolean;
  /** requests go out although they hold originals from the vault that their recipient never had */
  readonly sendsOriginals: boolean;
  /** the options that ask for it, as they were typed */
  readonly asked: string;
}
