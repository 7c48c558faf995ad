import { SERIES } from '@salus/contracts/series'
import { SERIES_CODES } from '../../resources/index.ts'
import { matchesToken, readToken } from './search-filter.ts'

const CATEGORIES = 'http://terminology.hl7.org/CodeSystem/observation-category'

/**
 * Returns the series whose samples can match a category or a code, so that others are not read.
 * @param value Tokens, separated by commas.
 */
export function seriesOf(name: 'category' | 'code', value: string): string[] {
  const asked = value.split(',').map(readToken)
  return SERIES.map((series) => series.name).filter((series) => {
    const [category, loinc] = SERIES_CODES[series] ?? ['activity']
    const tokens =
      name === 'category'
        ? [{ system: CATEGORIES, code: category }]
        : [
            { system: 'urn:salus:series', code: series },
            ...[loinc ?? [], FURTHER[series] ?? []]
              .flat()
              .map((code) => ({ system: 'http://loinc.org', code })),
          ]
    return tokens.some((token) => asked.some((one) => matchesToken(token, one)))
  })
}

/** Codes beside that of the series: of components, and of wider terms. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  blood_oxygen: ['2708-6'],
  blood_pressure: ['8480-6', '8462-4'],
}
