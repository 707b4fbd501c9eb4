import { splitter } from "../split.ts";

export const splitBy = splitter({
  unkeyed: ["labels"],
  opaque: ["thoughtSignature"],
  opaqueData: "",
  verbatim: ["args", "parameters", "parametersJsonSchema"],
});
