const GREEK: Record<string, string> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  µ: 'u',
  μ: 'u',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
const IS_ASCII = /^[\x00-\x7f]*$/

/** Lower case, without accents; whatever is no letter or digit becomes one blank. */
export function normalizeSearchText(text: string): string {
  // The same for texts that have none of that, in a fifth of the time.
  if (IS_ASCII.test(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  return text
    .toLowerCase()
    .replace(/[αβγδµμ]/g, (letter) => GREEK[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** What a marker is found by. */
export interface SearchableMarker {
  name: string
  aliases: readonly string[]
  provider_id: string | null
  loinc_codes: readonly string[]
}

/**
 * The text that the search looks into (`markers.search_text`): `| name | alias | code |`. A blank
 * before a word of the query means the start of a word here, and bars around it a whole part.
 */
export function searchTextOf(marker: SearchableMarker): string {
  const { name, aliases, provider_id: providerId, loinc_codes: loincCodes } = marker
  const parts = [name, ...aliases, ...(providerId === null ? [] : [providerId]), ...loincCodes]
  return `| ${[...new Set(parts.map(normalizeSearchText))].join(' | ')} |`
}
