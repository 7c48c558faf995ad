import { type Charset, encodeText } from './charsets.ts'

/** Letters and signs whose decomposition in Unicode does not lead to ASCII. */
const SIMILAR = new Map(
  Object.entries({
    Æ: 'AE',
    æ: 'ae',
    Œ: 'OE',
    œ: 'oe',
    Ø: 'O',
    ø: 'o',
    ß: 'ss',
    ẞ: 'SS',
    Đ: 'D',
    đ: 'd',
    Ð: 'D',
    ð: 'd',
    Þ: 'Th',
    þ: 'th',
    Ł: 'L',
    ł: 'l',
    ı: 'i',
    µ: 'u',
    μ: 'u',
    '‘': "'",
    '’': "'",
    '“': '"',
    '”': '"',
    '–': '-',
    '—': '-',
    '−': '-',
    '×': 'x',
    '≤': '<=',
    '≥': '>=',
    '€': 'EUR',
    '°': 'deg',
  }),
)

/**
 * Replaces the characters that a character set lacks by similar ones of ASCII, and those without a
 * similar one by `?`. Characters of the character set stay.
 */
export function transliterate(text: string, charset: Charset): string {
  if (encodeText(text, charset) !== undefined) return text
  let result = ''
  // A letter and its accent may be two characters that a character set has as one.
  for (const character of text.normalize('NFC')) {
    result += encodeText(character, charset) === undefined ? similarTo(character) : character
  }
  return result
}

function similarTo(character: string): string {
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '')
  const similar = [...plain].map((each) => SIMILAR.get(each) ?? each).join('')
  return /^[ -~]+$/.test(similar) ? similar : '?'
}
