import { SESSION_ID, TAG_TAGS, USER_ID } from "@arizeai/openinference-semantic-conventions";
import { ATTR } from "@reenact/envelope";
import type { AttributeList } from "./attributes.ts";
import type { Said } from "./sink.ts";

/** What of a root says whom and what its run is for. */
export function saidAttributes({ flags = [], user, session, tags = [] }: Said): AttributeList {
  const attributes: AttributeList = [];
  if (flags.length > 0) attributes.push([ATTR.flag, [...flags]]);
  if (user !== undefined) attributes.push([USER_ID, user]);
  if (session !== undefined) attributes.push([SESSION_ID, session]);
  if (tags.length > 0) attributes.push([TAG_TAGS, [...tags]]);
  return attributes;
}
