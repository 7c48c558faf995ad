const GREEK: Record<string, string> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  µ: 'u',
  μ: 'u',
}

/** Lower case, without accents; whatever is no letter or digit becomes one blank. */
export function normalizeSearchText(text: string): string {
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
