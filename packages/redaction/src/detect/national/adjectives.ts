import type { Family } from "./family.ts";

/** `the Slovenian VAT number`: what announces all families of a country. */
const ADJECTIVES: ReadonlyMap<string, string> = new Map(
  (
    "ad:andorran al:albanian ar:argentinian at:austrian au:australian az:azerbaijani be:belgian bg:bulgarian " +
    "br:brazilian by:belarusian ca:canadian ch:swiss cl:chilean cn:chinese co:colombian cu:cuban cz:czech de:german " +
    "dk:danish do:dominican dz:algerian ec:ecuadorian ee:estonian es:spanish fi:finnish fr:french gb:british " +
    "gh:ghanaian gr:greek gt:guatemalan hr:croatian hu:hungarian id:indonesian ie:irish il:israeli in:indian " +
    "is:icelandic it:italian jp:japanese ke:kenyan kr:korean lt:lithuanian lv:latvian md:moldovan me:montenegrin " +
    "mk:macedonian mx:mexican my:malaysian nl:dutch no:norwegian pe:peruvian pk:pakistani pl:polish pt:portuguese " +
    "py:paraguayan ro:romanian rs:serbian ru:russian se:swedish sg:singaporean si:slovenian sk:slovak sv:salvadoran " +
    "th:thai tr:turkish tw:taiwanese ua:ukrainian uy:uruguayan ve:venezuelan vn:vietnamese"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

export function withAdjective(family: Family): Family {
  const adjective = ADJECTIVES.get(family.id.slice(0, 2));
  if (adjective === undefined || family.words.split("|").includes(adjective)) return family;
  return { ...family, words: `${family.words}|${adjective}` };
}
