import { splitter } from "../split.ts";

export const splitBy = splitter({
  unkeyed: ["keep_alive"],
  opaque: [],
  opaqueData: "",
  verbatim: ["parameters", "arguments"],
  systemRoles: ["system"],
});
