import { SAMPLE_TYPES, type SampleType, type SpecimenRequirement } from '../../catalog/index.ts'
import type { MappedRow } from '../sources/read-tables.ts'
import { readByTest, type TestIndex } from './rows-of-tests.ts'

export interface CompendiumSpecimen {
  sampleType: SampleType | undefined
  requirement: SpecimenRequirement
}

const RULES = [
  'type',
  'container',
  'volume',
  'minimum_volume',
  'temperature',
  'stability',
  'instructions',
] as const
const LONGEST_RULE = 1000

/** Reads the specimens of tests, the preferred one first. */
export function readSpecimens(
  rows: readonly MappedRow[],
  index: TestIndex,
): Map<string, CompendiumSpecimen[]> {
  return readByTest(rows, index, (row) => {
    const requirement: SpecimenRequirement = {}
    for (const rule of RULES) {
      const text = row.text(rule, LONGEST_RULE)
      if (text !== undefined) requirement[rule] = text
    }
    return { sampleType: row.oneOf('sample_type', SAMPLE_TYPES), requirement }
  })
}
