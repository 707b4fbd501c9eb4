import { SESSION_ID, TAG_TAGS, USER_ID } from "@arizeai/openinference-semantic-conventions";
import { ATTR } from "@reenact/envelope";
import type { AttributeList } from "./attributes.ts";
import type { RunMetadata } from "../run/sink.ts";

/** The metadata attributes of a root. */
export function metadataAttributes({ flags = [], user, session, tags = [] }: RunMetadata): AttributeList {
  const attributes: AttributeList = [];
  if (flags.length > 0) attributes.push([ATTR.flag, [...flags]]);
  if (user !== undefined) attributes.push([USER_ID, user]);
  if (session !== undefined) attributes.push([SESSION_ID, session]);
  if (tags.length > 0) attributes.push([TAG_TAGS, [...tags]]);
  return attributes;
}

/** Names of the attributes that `metadataOf` reads. */
export const METADATA_ATTRIBUTES: readonly string[] = [ATTR.flag, USER_ID, SESSION_ID, TAG_TAGS];

/** The inverse of `metadataAttributes`. */
export function metadataOf(attributes: Readonly<Record<string, unknown>>): RunMetadata {
  const { [ATTR.flag]: flags, [USER_ID]: user, [SESSION_ID]: session, [TAG_TAGS]: tags } = attributes;
  return {
    ...(Array.isArray(flags) && { flags: flags.map(String) }),
    ...(typeof user === "string" && { user }),
    ...(typeof session === "string" && { session }),
    ...(Array.isArray(tags) && { tags: tags.map(String) }),
  };
}
