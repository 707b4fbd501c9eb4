export { createDialect } from "./dialect.ts";
export { editRequest, isEditable, type RequestEdit } from "./edit-request.ts";
export { OTHER_HOSTS } from "./hosts.ts";
export type { Operations } from "./operation.ts";
export type { Host, Provider, Sdk, Target, Vendor } from "./provider.ts";
export { isOwnAddress } from "./own-address.ts";
export { provider, PROVIDERS } from "./registry.ts";
