import { readFirstRows } from '../../files/csv.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import { readJsonOpening } from '../../files/json-opening.ts'
import { writtenAtOf } from '../../running/export-version.ts'
import type { ImportFormat } from '../import-format.ts'
import type { OuraSource } from './import-records.ts'
import { OURA_TABLES, tableOf } from './oura-tables.ts'

/** Tables of other kinds before the first known one. */
const MOST_OTHER_FILES = 200
/** The beginning of a list of the first or the present interface, alone or of an account. */
const JSON_TRACE =
  /"(?:summary_date|sleep_phase_5_min|hypnogram_5min|equivalent_walking_distance)"\s*:/
/** Names of lists of JSON in which these fields are. */
const LISTS = [...OURA_TABLES.map(({ list }) => list), 'activity', 'readiness']
const SOURCES = new Set(['awake', 'rest', 'sleep', 'session', 'live', 'workout'])

/** The data that people download from the membership hub of Oura. */
export const OURA: ImportFormat = {
  slug: 'oura',
  title: 'Data of the Oura membership hub',
  howToExport:
    'On membership.ouraring.com: sign in, Export Data, request the data, and download the zip when the e-mail comes.',
  provider: 'oura',
  notes: [
    'Records have the ids of a connection with Oura, so that those of both are stored once.',
    'Scores and readiness are parts of the night of their day. A sleep that the person deleted is left out.',
    'Skin temperatures, sessions, tags, resilience and cycle phases are not read.',
  ],
  options: [],
  async recognize(files) {
    return (await findSources(files, true)).length > 0
  },
  async read({ files, now }, out) {
    const { importRecords } = await import('./import-records.ts')
    out.exportedAt = writtenAtOf(files.files, now)
    await importRecords(await findSources(files, false), out)
  },
}

/**
 * Finds the files of an export by their columns, or by fields of JSON.
 * @param isFirst Whether one is enough.
 */
async function findSources({ files }: ImportFiles, isFirst: boolean): Promise<OuraSource[]> {
  const found: OuraSource[] = []
  let others = 0
  for (const file of files) {
    const source = await sourceOf(file)
    if (source !== undefined) found.push(source)
    else others++
    if (isFirst && (found.length > 0 || others > MOST_OTHER_FILES)) break
  }
  return found
}

async function sourceOf(file: ImportFile): Promise<OuraSource | undefined> {
  const isAlone = file.path === ''
  if (isAlone || /\.(csv|txt)$/.test(file.name)) {
    const [head = []] = await readFirstRows(file, 1)
    const table = tableOf(head)
    // Any program may write three such columns: without its name a file is known by its sources.
    const isSure = table?.list !== 'heartrate' || file.name === 'heartrate.csv'
    if (table !== undefined && (isSure || (await hasSources(file)))) return { file, table }
  }
  if (!isAlone && !file.name.endsWith('.json')) return undefined
  const opening = (await file.opening()).toString('latin1')
  const outer = readJsonOpening(opening.replace(/^\xef\xbb\xbf/, ''))
  const isKnown = outer && !outer.isList && LISTS.some((list) => outer.fields.has(list))
  return isKnown && JSON_TRACE.test(opening) ? { file, lists: OURA_TABLES } : undefined
}

/** Whether a table of heart rates has the words of the vendor for what a person did. */
async function hasSources(file: ImportFile): Promise<boolean> {
  const [head = [], ...rows] = await readFirstRows(file)
  const index = head.indexOf('source')
  const isSource = (cells: readonly string[]) => SOURCES.has(cells[index] ?? '')
  return head.length === 3 && rows.length > 0 && rows.every(isSource)
}
