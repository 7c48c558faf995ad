/** How numbers of a report are printed. */
export interface NumberStyle {
  /**
   * Whether a comma stands before decimals; where it is not known, each number is judged by itself.
   */
  decimalComma?: boolean | undefined
}

/**
 * A number as it is printed: `1,234.5`, `1.234,5`, `1 234,5`, `1'234`, `1,50,000`, `.5`, `1e-3`.
 * The caller reads the sign, because a dash before a number may also stand between two.
 */
export const UNSIGNED_NUMBER = String.raw`(?:\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?(?![\d])|\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][-+]?\d{1,2}(?![\d/]))?`

const WHOLE_NUMBER = new RegExp(String.raw`^[-+]?${UNSIGNED_NUMBER}$`)
const THREE_DIGIT_GROUPS = /^\d{1,3}(?:[.,]\d{3})+$/
/** 1,50,000 and 12,34,567, as on reports of India. */
const INDIAN_GROUPS = /^\d{1,2}(?:,\d{2})*,\d{3}$/

/** Hyphens, dashes and minus signs as `-`, comparators as ASCII, spaces of all widths as one. */
export function toPlainSigns(text: string): string {
  return text
    .replace(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-')
    .replace(/[\u2264\u2a7d\u2266]|<\s*or\s*=|=\s*</gi, '<=')
    .replace(/[\u2265\u2a7e\u2267]|>\s*or\s*=|=\s*>/gi, '>=')
    .replace(/([<>])\s+=/g, '$1=')
    .replace(/[\u2039\u3008\uff1c]/g, '<')
    .replace(/[\u203a\u3009\uff1e]/g, '>')
    .replace(/[\s\u00a0\u2000-\u200b\u202f\u3000]+/g, ' ')
    .trim()
}

/** Reads a text as a number with its sign; null for other texts, and for ambiguous ones. */
export function readNumber(text: string, { decimalComma }: NumberStyle = {}): number | null {
  const plain = repairDigits(toPlainSigns(text))
  if (!WHOLE_NUMBER.test(plain)) return null
  const [, sign = '', digits = '', exponent = ''] =
    /^([-+]?)([^eE]+)([eE][-+]?\d+)?$/.exec(plain.replace(/[ '’]/g, '')) ?? []
  const decimal = toDecimalPoint(digits, decimalComma)
  return decimal === null ? null : Number(`${sign}${decimal}${exponent}`)
}

function toDecimalPoint(digits: string, decimalComma: boolean | undefined): string | null {
  const points = digits.split('.').length - 1
  const commas = digits.split(',').length - 1
  if (points + commas === 0) return digits
  const decimalSign = findDecimalSign(digits, points, commas, decimalComma)
  const [whole = '', decimals, ...rest] =
    decimalSign === null ? [digits] : digits.split(decimalSign)
  if (rest.length > 0) return null
  const isGrouped = /[.,]/.test(whole)
  if (isGrouped && !THREE_DIGIT_GROUPS.test(whole) && !INDIAN_GROUPS.test(whole)) return null
  return `${whole.replace(/[.,]/g, '') || '0'}${decimals === undefined ? '' : `.${decimals}`}`
}

/** Which sign stands before the decimals; null where all separate groups. */
function findDecimalSign(
  digits: string,
  points: number,
  commas: number,
  decimalComma: boolean | undefined,
): '.' | ',' | null {
  if (points > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ','
  if (points + commas > 1) return null
  const sign = points === 1 ? '.' : ','
  // 0,123 and 12,34 cannot be thousands, nor 1234,567.
  const mayBeGrouped = THREE_DIGIT_GROUPS.test(digits) && !digits.startsWith('0')
  const isDecimal = sign === '.' ? decimalComma !== true : decimalComma === true
  return mayBeGrouped && !isDecimal ? null : sign
}

/** Letters that recognition reads for digits, repaired where only digits make sense. */
export function repairDigits(text: string): string {
  return text.replace(/(?<![\p{L}\d.,])[\dOolI|SBZ]*[.,]?[\dOolI|SBZ]+(?![\p{L}\d])/gu, (token) => {
    const letters = token.replace(/[\d.,]/g, '')
    const digits = token.length - letters.length
    if (letters === '' || digits === 0 || letters.length > digits + 1) return token
    if (!/[.,]/.test(token) && (/[SBZ]/.test(token) || !/\d/.test(token))) return token
    if (!/\d/.test(token)) return token
    return token
      .replace(/[Oo]/g, '0')
      .replace(/[lI|]/g, '1')
      .replaceAll('S', '5')
      .replaceAll('B', '8')
      .replaceAll('Z', '2')
  })
}

const COMMA_DECIMALS =
  /(?<![\d.,])(?:\d+,(?:\d{1,2}|\d{4,})|0,\d+|\d{1,3}(?:\.\d{3})+,\d+)(?![\d.,]*\d)/g
const POINT_DECIMALS =
  /(?<![\d.,])(?:\d+\.(?:\d{1,2}|\d{4,})|0\.\d+|\d{1,3}(?:,\d{3})+\.\d+)(?![\d.,]*\d)/g

/**
 * Returns whether the numbers of a report have a decimal comma, by those that can be read in one
 * way only.
 */
export function usesDecimalComma(texts: readonly string[]): boolean {
  const count = (pattern: RegExp) =>
    texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0)
  return count(COMMA_DECIMALS) > count(POINT_DECIMALS)
}
