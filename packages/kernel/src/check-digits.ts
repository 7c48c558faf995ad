/**
 * Returns whether a LOINC code has the right check digit: Luhn's algorithm (mod 10) over the digits
 * before the hyphen (LOINC Users' Guide, appendix on check digits).
 */
export function isLoincCode(code: string): boolean {
  const [, number = '', checkDigit] = /^(\d{1,7})-(\d)$/.exec(code) ?? []
  return number !== '' && luhnCheckDigit(number) === Number(checkDigit)
}

/**
 * Returns whether a text is a National Provider Identifier: ten digits, Luhn with the prefix 80840
 * (CMS).
 */
export function isNpi(text: string): boolean {
  return /^[12]\d{9}$/.test(text) && luhnCheckDigit(`80840${text.slice(0, 9)}`) === Number(text[9])
}

/** Returns the digit that makes `number` followed by it pass Luhn's test. */
export function luhnCheckDigit(number: string): number {
  const sum = [...number].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 2 : 1)
    return total + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return (10 - (sum % 10)) % 10
}
