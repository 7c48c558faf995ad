import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { SpecialistLanguage } from './words.ts'

/** Something that reports of one kind say: measured, or in words whose keys stand in `draw`. */
export interface SpecialistTest extends Record<SpecialistLanguage, string> {
  /** Of document, or `plain`, which every kind may borrow. */
  kind: string
  loinc: string
  also: string
  /** In a drug screen the cutoff in ng/mL, since its answers have no unit. */
  unit: string
  decimals: string
  /** `low-high`, `<high`, `>low`, a word, or those of several groups, divided by `/`. */
  range: string
  /** The numbers between which a value lies, or the answers that it may be, divided by `|`. */
  draw: string
}

const TESTS: SpecialistTest[] = parse(readFileSync(new URL('tests.csv', import.meta.url)), {
  delimiter: ';',
  columns: true,
  quote: null,
})

export const testsOf = (kind: string): SpecialistTest[] =>
  TESTS.filter((test) => test.kind === kind)
