import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { Language } from './words.ts'

/** A measured quantity, in conventional units and, where they differ, in SI units. */
export interface Analyte extends Record<Language, string> {
  id: string
  panel: string
  loinc: string
  also: string
  /**
   * `giga`, `tera` and `mU/L` stand for a count or an activity that every country writes otherwise.
   */
  unit: string
  decimals: string
  range: string
  range_female: string
  si_unit: string
  si_factor: string
  si_decimals: string
  si_loinc: string
  si_also: string
}

/** A test with findings in words, which are keys of the qualitative words of a language. */
export interface QualitativeTest extends Record<Language, string> {
  id: string
  panel: string
  loinc: string
  also: string
  range: string
  normal: string
  abnormal: string
}

const readTable = <Row>(name: string): Row[] =>
  parse(readFileSync(new URL(name, import.meta.url)), { delimiter: ';', columns: true })

/** Names in a language are separated by `|`; a language without a name lacks the test. */
export const ANALYTES = readTable<Analyte>('analytes.csv')
export const QUALITATIVE_TESTS = readTable<QualitativeTest>('qualitative.csv')
