import { isLoincCode } from '@salus/kernel/check-digits'
import type { CatalogProblems, CatalogQuestion, SpecimenRequirement } from '../../catalog/index.ts'
import type { CompendiumMapping } from '../mapping/mapping.schema.ts'
import { TableReader } from '../sources/read-tables.ts'
import type { CompendiumFile } from '../sources/source-row.ts'
import { readQuestions } from './read-questions.ts'
import {
  type CompendiumResult,
  type ResultDefinition,
  readComponents,
  readResultDefinitions,
  wrongLoinc,
} from './read-results.ts'
import { type CompendiumSpecimen, readSpecimens } from './read-specimens.ts'
import { readTests, type TestFields, type TestRow } from './read-tests.ts'
import { Refusals } from './refusals.ts'

/** A test of a compendium. What the mapping does not name is undefined, and stays as it is. */
export interface CompendiumTest {
  code: string
  name: string
  isRetired: boolean
  /** File and row. */
  place: string
  fields: TestFields
  results: CompendiumResult[] | undefined
  questions: CatalogQuestion[] | undefined
  specimens: SpecimenRequirement[] | undefined
}

export interface Compendium {
  /** By code. */
  tests: ReadonlyMap<string, CompendiumTest>
  refusals: Refusals
  /** Number of rows about tests that the files do not have. */
  unusedRows: number
}

/** The parts of tests by code. */
interface Parts {
  mapping: CompendiumMapping
  refusals: Refusals
  definitions: ReadonlyMap<string, ResultDefinition>
  components: ReadonlyMap<string, CompendiumResult[]>
  questions: ReadonlyMap<string, CatalogQuestion[]>
  specimens: ReadonlyMap<string, CompendiumSpecimen[]>
}

/**
 * Reads the files of a compendium. A test with a wrong cell, in its row or in one of its parts, is
 * refused as a whole, because the laboratory would refuse an order without its required question.
 * @param problems gets what keeps the files from being read at all
 */
export function readCompendium(
  files: readonly CompendiumFile[],
  mapping: CompendiumMapping,
  problems: CatalogProblems,
): Compendium {
  const refusals = new Refusals()
  const tables = new TableReader(files, problems)
  const rows = readTests(tables.rowsOf(mapping, 'tests'), refusals)
  let unusedRows = 0
  const index = {
    isActive: new Map([...rows].map(([code, { isRetired }]) => [code, !isRetired])),
    refusals,
    addUnused: () => {
      unusedRows++
    },
  }
  const definitions = readResultDefinitions(tables.rowsOf(mapping, 'results'), refusals)
  const answers = tables.rowsOf(mapping, 'answers')
  const parts = {
    mapping,
    refusals,
    definitions,
    components: readComponents(tables.rowsOf(mapping, 'components'), definitions, index),
    questions: readQuestions(tables.rowsOf(mapping, 'questions'), answers, index),
    specimens: readSpecimens(tables.rowsOf(mapping, 'specimens'), index),
  }
  tables.checkUse()
  const tests = new Map([...rows].map(([code, row]) => [code, joinTest(row, parts)]))
  return { tests, refusals, unusedRows }
}

function joinTest(row: TestRow, parts: Parts): CompendiumTest {
  const { code, name, isRetired, place, fields } = row
  const { tables } = parts.mapping
  const specimens = parts.specimens.get(code) ?? []
  const requirements = specimens.map(({ requirement }) => requirement)
  const sampleType = fields.sample_type ?? specimens[0]?.sampleType
  return {
    code,
    name,
    isRetired,
    place,
    fields: sampleType === undefined ? fields : { ...fields, sample_type: sampleType },
    results: resultsOf(row, parts),
    questions: tables.questions && (parts.questions.get(code) ?? []),
    specimens: tables.specimens && requirements.filter((it) => Object.keys(it).length > 0),
  }
}

/** A test without components reports itself. */
function resultsOf(row: TestRow, parts: Parts): CompendiumResult[] | undefined {
  const { code, name, loinc: stated, fields } = row
  const { tests, components } = parts.mapping.tables
  const isMapped = components !== undefined || tests.some((table) => 'loinc' in table.fields)
  if (!isMapped || row.isRetired) return undefined
  const own = parts.components.get(code)
  if (own !== undefined) return own
  const { loinc = null, unit = null } = parts.definitions.get(code) ?? {}
  if (stated === null && loinc !== null && !isLoincCode(loinc)) {
    parts.refusals.add(code, row.place, wrongLoinc(loinc))
  }
  return [{ code, name, loinc: stated ?? loinc, unit: fields.unit ?? unit, required: true }]
}
