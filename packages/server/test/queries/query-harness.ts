import assert from 'node:assert/strict'
import { createHarness, type Harness } from '../harness.ts'
import { uuidOf } from './random-sources.ts'
import type { PersonData, StoredSummary } from './reference/person-data.ts'
import { storePersonData } from './store-person-data.ts'

/** Column name to values. */
export type Table = Record<string, unknown[]>

export interface AskOptions {
  anchor?: string
  past?: { unit: string; value?: number }
  config?: object
}

export interface QueryHarness {
  salus: Harness
  /** A new person with rows that are stored past the upload paths. */
  person(data: Partial<PersonData>, fallbackZone?: string): Promise<string>
  /** Sends the queries, about March 2026 by default. */
  send(userId: string, queries: object[], options?: AskOptions): ReturnType<Harness['call']>
  /** The table of one query, which must succeed. */
  ask(userId: string, query: object, options?: AskOptions): Promise<Table>
  close(): Promise<void>
}

/** Ids must be UUIDs; rows of tests have plain ones. */
const withUuid = (row: StoredSummary): StoredSummary => ({ ...row, id: uuidOf(row.id) })

export async function createQueryHarness(
  settings: Parameters<typeof createHarness>[0] = {},
): Promise<QueryHarness> {
  const salus = await createHarness(settings)
  const send: QueryHarness['send'] = (userId, queries, options = {}) => {
    const { anchor = '2026-03-31', past = { unit: 'month' }, config } = options
    const timeframe = { type: 'relative', anchor, past }
    return salus.call('POST', `/aggregate/v1/user/${userId}/query`, { timeframe, queries, config })
  }
  return {
    salus,
    send,
    async person({ samples = [], summaries = [] }, fallbackZone) {
      const userId = await salus.makeUser()
      const { rows } = await salus.database.pool.query(
        'update users set fallback_time_zone = $2 where id = $1 returning environment_id',
        [userId, fallbackZone ?? null],
      )
      const environmentId = rows[0].environment_id as string
      const data = { samples, summaries: summaries.map(withUuid) }
      await storePersonData(salus.clickhouse, { environmentId, userId }, data)
      return userId
    },
    async ask(userId, query, options) {
      const answer = await send(userId, [query], options)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.results[0].table
    },
    close: () => salus.close(),
  }
}

/** Shortens the words of queries. */
export const func = (name: string, arg: object) => ({ func: name, arg })
export const value = (timeseries: string, field = 'value') => ({ timeseries, field })
export const trunc = (unit: string, index = 'timeseries', size?: number) => ({
  date_trunc: { unit, ...(size === undefined ? {} : { value: size }) },
  arg: { index },
})
export const part = (date_part: string, index = 'timeseries') => ({ date_part, arg: { index } })
