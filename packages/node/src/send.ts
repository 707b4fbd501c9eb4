// Apart from the main entry: no agent needs it on its own thread.
export type { Destination } from "./send/destination.ts";
export { destinationsOf } from "./send/destinations.ts";
export { type EndpointCheck, checkEndpoint } from "./send/check-endpoint.ts";
export { shipStore, type ShipReport, type ShippedRun } from "./send/ship-store.ts";
export { type WaitingRuns, waitingRuns } from "./send/waiting-runs.ts";
