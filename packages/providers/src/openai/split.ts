import { splitter } from "../split.ts";

export const splitBy = splitter({
  unkeyed: [
    "user",
    "metadata",
    "store",
    "service_tier",
    "stream_options",
    "safety_identifier",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "idempotency_key",
  ],
  opaque: ["signature", "encrypted_content", "thought_signature"],
  opaqueData: "reasoning.encrypted",
  verbatim: ["parameters"],
  systemRoles: ["system", "developer"],
});
