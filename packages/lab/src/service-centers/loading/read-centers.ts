import { WorkSlice } from '@salus/kernel/time-slices'
import { type CatalogProblems, pathOfCell, readCsvLines } from '../../catalog/index.ts'
import {
  CENTER_COLUMNS,
  type CenterColumn,
  type CenterDraft,
  type ColumnReader,
} from './center-columns.registry.ts'
import type { NewServiceCenter } from './center-loading.global.repository.ts'
import { locateCenter } from './locate-center.ts'

const COLUMNS = Object.entries(CENTER_COLUMNS) as [CenterColumn, ColumnReader][]
const namesOf = (isRequired: boolean): string[] =>
  COLUMNS.filter(([, column]) => column.isRequired === isRequired).map(([name]) => name)
const NAMES = { required: namesOf(true), optional: namesOf(false) }

/**
 * Reads a list of service centers and locates each. Rows with a problem are reported and left out.
 * @param labIds ids by slug. A sample of another laboratory is left out; in an operator's list that
 *   is a problem.
 */
export async function readCenters(
  csv: string,
  labIds: ReadonlyMap<string, number>,
  isSample: boolean,
  problems: CatalogProblems,
): Promise<NewServiceCenter[]> {
  const centers: NewServiceCenter[] = []
  const firstLines = new Map<string, number>()
  const slice = new WorkSlice()
  for (const { record, line } of readCsvLines(csv, NAMES, problems)) {
    if (slice.isOver()) await slice.rest()
    const read = readDraft(record, line, problems)
    if (read === undefined) continue
    const { lab, capabilities, is_active: isActive, ...draft } = read
    const first = firstLines.get(`${lab} ${draft.site_code}`)
    if (first !== undefined) {
      problems.add(pathOfCell(line, 'site_code'), `Same site as in line ${first}.`)
    }
    firstLines.set(`${lab} ${draft.site_code}`, first ?? line)
    const labId = labIds.get(lab)
    if (labId === undefined && !isSample) {
      problems.add(pathOfCell(line, 'lab'), 'No laboratory has this slug.')
    }
    const location = await locateCenter(draft, (column, message) =>
      problems.add(pathOfCell(line, column), message),
    )
    if (location === undefined || labId === undefined) continue
    centers.push({
      ...draft,
      ...location,
      lab_id: labId,
      capabilities: capabilities ?? [],
      is_active: isActive ?? true,
      is_sample: isSample,
    })
  }
  return centers
}

function readDraft(
  record: Readonly<Record<string, string>>,
  line: number,
  problems: CatalogProblems,
): CenterDraft | undefined {
  const draft: Record<string, unknown> = {}
  const before = problems.count
  for (const [name, { isRequired, expected, read }] of COLUMNS) {
    const text = record[name] ?? ''
    const value = text === '' ? null : read(text)
    if (value === undefined) problems.add(pathOfCell(line, name), `Must be ${expected}.`)
    else if (value === null && isRequired) problems.add(pathOfCell(line, name), 'Is empty.')
    draft[name] = value
  }
  return problems.count === before ? (draft as unknown as CenterDraft) : undefined
}
