import { splitter } from "../split.ts";

export const splitMessages = splitter({
  unkeyed: ["metadata", "service_tier", "cache_control", "user_profile_id", "workspace_id"],
  opaque: ["signature", "encrypted_content", "encrypted_index"],
  opaqueData: "redacted_thinking",
  verbatim: ["input", "input_schema"],
  mark: "cache_control",
})({ system: "system", tools: ["tools"], messages: "messages" });
