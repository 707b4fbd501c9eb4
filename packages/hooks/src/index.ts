export { HOOKS } from "./registry.ts";
