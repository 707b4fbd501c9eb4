export { type Answer, type Outcome, outcomeOf } from "./transfer/outcome.ts";
export { halves, requestOf } from "./transfer/split-traces.ts";
export { mapValues, type OnValue, type ValuePlace } from "./transfer/map-values.ts";
export { type View, viewOf, viewTraces } from "./transfer/view.ts";
