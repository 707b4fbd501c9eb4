export { type Answer, type Outcome, outcomeOf } from "./outcome.ts";
export { halves, requestOf } from "./split-traces.ts";
export { mapValues, type OnValue, type ValuePlace } from "./map-values.ts";
export { type View, viewOf, viewTraces } from "./view.ts";
