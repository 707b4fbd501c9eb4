import { expect, test } from "vitest";
import { createScanner } from "../../scan/scan.ts";

const scanner = createScanner((type) => type === "IBAN");
const find = (text: string): string | null => {
  const [hit] = scanner.scan(text, 0, text.length);
  return hit === undefined ? null : text.slice(hit.start, hit.end);
};

test.each([
  [":25:DE89370400440532013000EUR\n", "DE89370400440532013000"],
  ["pay to GB82WEST12345698765432 now", "GB82WEST12345698765432"],
  ["pay to gb82 west 1234 5698 7654 32.", "gb82 west 1234 5698 7654 32"],
  ["pay to Gb82 West 1234 5698 7654 32.", "Gb82 West 1234 5698 7654 32"],
  ["pay to gb82WEST12345698765432 now", "gb82WEST12345698765432"],
])("%s", (text, expected) => expect(find(text)).toBe(expected));

// valid accounts by their check digits: two with three letters behind, and one as a whole
test.each(["Ro005m8CGkp0T7vprBlPXUdmEJS", "mD45RoysUPZDJIdeeynYdnVbAOU", "It16ppeSxpp6b9mbDhtWDk2LxIm"])(
  "%s is a random id",
  (text) => {
    expect(find(text)).toBeNull();
    expect(find(`{"id":"${text}"}`)).toBeNull();
  },
);
