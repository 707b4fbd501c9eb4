// Apart from the main entry: no agent needs it on its own thread.
export type { Destination } from "./destination.ts";
export { destinationsOf } from "./destinations.ts";
export { type EndpointCheck, checkEndpoint } from "./check-endpoint.ts";
export { shipStore, type ShipReport, type ShippedRun } from "./ship-store.ts";
export { type WaitingRuns, waitingRuns } from "./waiting-runs.ts";
