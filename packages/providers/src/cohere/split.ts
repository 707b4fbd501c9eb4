import { splitter } from "../split.ts";

export const splitBy = splitter({
  unkeyed: ["priority"],
  opaque: [],
  opaqueData: "",
  verbatim: ["parameters"],
  systemRoles: ["system", "developer"],
});
