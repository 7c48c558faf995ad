import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { SpecialistLanguage } from './words.ts'

/** A test in reports of one kind: measured, or answered in words whose keys are in `draw`. */
export interface SpecialistTest extends Record<SpecialistLanguage, string> {
  /** Kind of document, or `plain`, which every kind may use. */
  kind: string
  loinc: string
  also: string
  /** In a drug screen the cutoff in ng/mL, because its findings have no unit. */
  unit: string
  decimals: string
  /** `low-high`, `<high`, `>low` or a word; those of several groups are separated by `/`. */
  range: string
  /** Lowest and highest value, or the possible findings separated by `|`. */
  draw: string
}

const TESTS: SpecialistTest[] = parse(readFileSync(new URL('tests.csv', import.meta.url)), {
  delimiter: ';',
  columns: true,
  quote: null,
})

export const testsOf = (kind: string): SpecialistTest[] =>
  TESTS.filter((test) => test.kind === kind)
