/** A whole number of 16 digits or more, outside of a text and not after a decimal point. */
const LONG_NUMBER = /[:,[\s]-?\d{16,}\s*[,\]}]/
const WHOLE = /^-?\d+$/

/**
 * Parses JSON of a vendor. A whole number that is too long for a number, as ids of 64 bits may be,
 * becomes a text of its digits, so that it stays the same id.
 * @throws SyntaxError
 */
export function parseVendorJson(text: string): unknown {
  return LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

function keepDigits(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const isTooLong = typeof value === 'number' && !Number.isSafeInteger(value)
  return isTooLong && source !== undefined && WHOLE.test(source) ? source : value
}
