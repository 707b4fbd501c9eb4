/** Whether a text of digits has a right last digit after Luhn. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  let others = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    if (i < digits.length - 1) others |= digit;
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  // zeros behind the first digit are no number
  return sum % 10 === 0 && others !== 0;
}
