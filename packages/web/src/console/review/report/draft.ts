import type { components } from '../../api/openapi.generated.d.ts'
import type { ReportData, ReportHead, ReportResult, ReportReview } from './report-query.ts'

type Corrections = components['schemas']['LabReportCorrections']
export type ResultChanges = Partial<ReportResult>

/** Corrections of a reviewer to a parsed report. */
export interface Draft {
  metadata: Partial<ReportHead>
  /** Changes by position in the parsed report; null removes a result. */
  results: Readonly<Record<number, ResultChanges | null>>
  added: readonly ResultChanges[]
}

export const EMPTY_DRAFT: Draft = { metadata: {}, results: {}, added: [] }

/** A result of the list: as parsed, and as corrected. */
export interface ReportRow {
  /** Also names the boxes of its evidence. */
  key: string
  position: number
  /** Null for a result that the reviewer added. */
  read: ReportResult | null
  changes: ResultChanges
  isRemoved: boolean
}

export const rowKey = (position: number): string => `results[${position}]`

export function listRows(reading: ReportData | null, draft: Draft): ReportRow[] {
  const results = reading?.results ?? []
  const read = results.map((result, position): ReportRow => {
    const changes = draft.results[position]
    return {
      key: rowKey(position),
      position,
      read: result,
      changes: changes ?? {},
      isRemoved: changes === null,
    }
  })
  const added = draft.added.map((changes, index): ReportRow => {
    const position = results.length + index
    return { key: rowKey(position), position, read: null, changes, isRemoved: false }
  })
  return [...read, ...added]
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** Returns the changes that differ from the parsed values. */
function changeFields<Shape extends object>(
  read: Shape | null,
  before: Partial<Shape>,
  changes: Partial<Shape>,
): Partial<Shape> {
  const all = Object.entries({ ...before, ...changes }).filter(
    ([field, value]) => value !== undefined && !isSame(read?.[field as keyof Shape], value),
  )
  return Object.fromEntries(all) as Partial<Shape>
}

export function changeHead(
  draft: Draft,
  read: ReportHead | null,
  changes: Partial<ReportHead>,
): Draft {
  return { ...draft, metadata: changeFields(read, draft.metadata, changes) }
}

/**
 * Changes a result.
 * @param changes undefined undoes the changes, null removes the result
 */
export function changeResult(draft: Draft, row: ReportRow, changes: ResultChanges | null): Draft {
  if (row.read === null) {
    const index = draft.added.indexOf(row.changes)
    const added = draft.added.flatMap((result, at) => {
      if (at !== index) return [result]
      return changes === null ? [] : [{ ...result, ...changes }]
    })
    return { ...draft, added }
  }
  const { [row.position]: _before, ...others } = draft.results
  if (changes === null) return { ...draft, results: { ...others, [row.position]: null } }
  const kept = changeFields(row.read, row.changes, changes)
  const results = Object.keys(kept).length === 0 ? others : { ...others, [row.position]: kept }
  return { ...draft, results }
}

export const addResult = (draft: Draft): Draft => ({
  ...draft,
  added: [...draft.added, { test_name: '', value: '' }],
})

/** Returns how many results and header fields differ from the parsed ones. */
export const countChanges = ({ metadata, results, added }: Draft): number =>
  Object.keys(metadata).length + Object.keys(results).length + added.length

/** Returns the body of an approval. */
export function toCorrections({ metadata, results, added }: Draft, note: string): Corrections {
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    results: Object.entries(results).map(([position, changes]) => ({
      position: Number(position),
      changes: changes as NonNullable<Corrections['results']>[number]['changes'],
    })),
    added_results: added as NonNullable<Corrections['added_results']>,
    note: note.trim() === '' ? null : note.trim(),
  }
}

/** Returns the corrections of a decided review. */
export function draftOfReview({ corrections, reading }: ReportReview): Draft {
  const count = reading?.results.length ?? 0
  const metadata: Record<string, unknown> = {}
  const results: Record<number, ResultChanges | null> = {}
  const added: ResultChanges[] = []
  for (const { position, field, new_value: value } of corrections) {
    if (position === null) metadata[field] = value
    else if (position >= count) added.push(value as ReportResult)
    else if (field === 'result') results[position] = value as ReportResult | null
    else results[position] = { ...results[position], [field]: value }
  }
  return { metadata, results, added }
}
