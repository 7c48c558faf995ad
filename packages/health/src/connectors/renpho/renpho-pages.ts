import type { Collection, PageRequest } from '../connector.ts'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { SLUG } from './renpho-envelope.ts'

const PAGE_SIZE = 50

/**
 * Lists of a table, in the order in which they are read: a scale with eight electrodes is in both,
 * and its second list says more, so that it is read last.
 */
const LISTS = [
  '/RenphoHealth/scale/queryAllMeasureDataList',
  '/RenphoHealth/scale/queryBodyCompositionMeasureData',
] as const

/** A table of measurements, and whose measurements it has. */
type Table = readonly [name: string, userIds: readonly string[]]

/** Position in all lists of all tables; the first page names the tables. */
interface Position {
  page: number
  list: number
  /** The one that is read, and those that follow. */
  tables: readonly Table[]
}

const encode = ({ page, list, tables }: Position): string => JSON.stringify([page, list, tables])

function decode(cursor: string): Position | undefined {
  try {
    const [page, list, tables] = JSON.parse(cursor)
    return Array.isArray(tables) && tables.length > 0 ? { page, list, tables } : undefined
  } catch {
    return undefined
  }
}

/** Names under which lists are wrapped in some answers. */
const WRAPPERS = ['list', 'records', 'data', 'measurements']

/**
 * Returns the records of an answer; undefined for one that names the tables.
 * @throws VendorError `unexpected`
 */
export function recordsOf(answer: unknown): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer
  if (!isFields(answer)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  const name = WRAPPERS.find((each) => Array.isArray(answer[each]))
  return name === undefined ? undefined : (answer[name] as unknown[])
}

function tablesOf(answer: unknown): Table[] {
  const scales = isFields(answer) && Array.isArray(answer.scale) ? answer.scale : []
  return scales.flatMap((scale): Table[] => {
    const { tableName, userIds } = isFields(scale) ? scale : {}
    if (typeof tableName !== 'string' || tableName === '') return []
    // The number of records that comes with them is often 0 although there are some.
    return [[tableName, Array.isArray(userIds) ? userIds.map(String) : []]]
  })
}

/** The tables of a household may name other people; the account itself may be missing. */
function whoseOf([, userIds]: Table, userId: string): string {
  return userIds.includes(userId) ? userId : (userIds[0] ?? userId)
}

/** Returns whose measurements a page has: a second account of a family reads those of another. */
export function requestedUser({ cursor, context }: PageRequest): string {
  const { userId = '' } = context.extra
  const [table] = (cursor === null ? undefined : decode(cursor))?.tables ?? []
  return table === undefined ? userId : whoseOf(table, userId)
}

/**
 * Requests all measurements: the vendor has neither ranges nor a documented order, so each pull
 * reads all pages.
 */
export const ALL_MEASUREMENTS: Pick<
  Collection,
  'history' | 'mostDaysAtOnce' | 'overlapHours' | 'page' | 'next'
> = {
  history: 'by_range',
  // Each range reads everything, so that one is better than many.
  mostDaysAtOnce: 3660,
  // A scale uploads when the phone is near.
  overlapHours: 168,
  page(_range, cursor, { extra }): VendorRequest {
    // Without a content: the vendor expects no bytes here.
    if (cursor === null) return { method: 'POST', path: '/renpho-aggregation/device/count' }
    const { page, list, tables } = decode(cursor) ?? { page: 1, list: 0, tables: [[cursor, []]] }
    const table = tables[0] as Table
    return {
      method: 'POST',
      path: LISTS[list] ?? LISTS[0],
      json: {
        pageNum: page,
        pageSize: PAGE_SIZE,
        userIds: [whoseOf(table, extra.userId ?? '')],
        tableName: table[0],
      },
    }
  },
  next: nextPosition,
}

function nextPosition(answer: unknown, { cursor }: PageRequest): string | null {
  if (cursor === null) {
    const tables = tablesOf(answer)
    return tables.length === 0 ? null : encode({ page: 1, list: 0, tables })
  }
  const position = decode(cursor)
  if (position === undefined || answer === null || typeof answer !== 'object') return null
  const { page, list, tables } = position
  const isFull = (recordsOf(answer)?.length ?? 0) >= PAGE_SIZE
  if (isFull) return encode({ page: page + 1, list, tables })
  if (list + 1 < LISTS.length) return encode({ page: 1, list: list + 1, tables })
  const [, ...others] = tables
  return others.length === 0 ? null : encode({ page: 1, list: 0, tables: others })
}
