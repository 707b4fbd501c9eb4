import { isDigit } from "../character.ts";

/** Whether the digits in `text[from, to)` have a right last digit after Luhn; what stands between them is left out. */
export function passesLuhn(text: string, from: number, to: number): boolean {
  let sum = 0;
  let others = 0;
  let position = 0;
  for (let at = to - 1; at >= from; at--) {
    const unit = text.charCodeAt(at);
    if (!isDigit(unit)) continue;
    const digit = unit - 48;
    if ((position & 1) === 0) sum += digit;
    else sum += digit > 4 ? digit * 2 - 9 : digit * 2;
    if (position > 0) others |= digit;
    position++;
  }
  // zeros behind the first digit are no number
  return sum % 10 === 0 && others !== 0;
}
