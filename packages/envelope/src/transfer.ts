export { type Answer, type Outcome, outcomeOf } from "./transfer/outcome.ts";
export { halves, requestOf } from "./transfer/split-traces.ts";
export { mapTexts } from "./transfer/map-texts.ts";
export { type View, viewOf, viewTraces } from "./transfer/view.ts";
