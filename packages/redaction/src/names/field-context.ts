import { CUE, type Cue, cueOfHead, cueOfName, NO_CUE } from "../detect/cue.ts";
import { nameWords } from "./name-words.ts";
import { remembered } from "../cache/remembered.ts";

/** What the name above a leaf says about its text; one object per meaning, so that they can be compared by identity. */
export interface FieldContext {
  /** short and unique: part of the names under which findings are remembered */
  readonly slot: string;
  /** an id, a time, a digest, a model: digits alone are no finding there */
  readonly idLike: boolean;
  readonly cue: Cue;
}

const ID_NAME =
  /(?:^|[_.-])(?:id|ids|ts|time|timestamp|created|updated|expires|seed|hash|sha|sha1|sha256|md5|digest|checksum|etag|events|fingerprint|version|versions|uuid|guid|ulid|epoch|nonce|cursor|commit|revision|rev|sku|asin|isbn|ean|upc|gtin|barcode|model|traceparent|tracestate|sequence|offset|score|price|amount|total|ratio|latitude|longitude|lat|lon|lng|embedding|logprob|at)$|[a-z](?:Ids?|IDs?|At|Time|Uuid|UUID|Hash|Sku|Versions?)$/;
/** Of these, the names under which four numbers with points between are a version and no address. */
const VERSION_NAME = /(?:^|[_.-])(?:versions?|rev|revision|model|sku|commit)$|[a-z]Versions?$/;
const LONGEST_NAME = 64;

export const NOWHERE: FieldContext = { slot: "", idLike: false, cue: NO_CUE };
const OF_IDS: FieldContext = { slot: "i", idLike: true, cue: NO_CUE };
const OF_VERSIONS: FieldContext = { slot: "iv", idLike: true, cue: { kinds: CUE.version, families: [] } };

const bySlot = new Map<string, FieldContext>();
const judged = remembered(judge);

/** The context of a field by the name of a JSON member, a parameter or a header. */
export function fieldContext(name: string): FieldContext {
  return name === "" || name.length > LONGEST_NAME ? NOWHERE : judged(name);
}

function judge(name: string): FieldContext {
  const words = nameWords(name);
  let cue = cueOfName(words);
  if (cue.kinds === 0 || cue.kinds === CUE.version) {
    if (ID_NAME.test(name)) return VERSION_NAME.test(name) ? OF_VERSIONS : OF_IDS;
    cue = cueOfHead(words);
    if (cue.kinds === 0) return NOWHERE;
  }
  const slot = `${cue.kinds}${cue.families.join()}`;
  let field = bySlot.get(slot);
  if (field === undefined) bySlot.set(slot, (field = { slot, idLike: false, cue }));
  return field;
}
