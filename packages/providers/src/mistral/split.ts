import { splitter } from "../split.ts";

export const splitBy = splitter({
  unkeyed: ["metadata", "prompt_cache_key"],
  opaque: ["signature"],
  opaqueData: "",
  verbatim: ["parameters"],
  systemRoles: ["system"],
});
