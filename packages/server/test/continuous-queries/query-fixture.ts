import { after, before } from 'node:test'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { createHarness, type Harness } from '../harness.ts'
import { openQueryEnvironment, type QueryEnvironment } from './query-environment.ts'

/** The least gap between two evaluations, and a second. */
export const GAP = 1801
/** Enough for a first invalidation to be due, and for what was invalidated to count as stored. */
export const DELAY = 61

export const STEPS = 'sum.steps.value'

/** The table of daily steps, by month and day of 2026. */
export const tableOf = (days: Record<string, number>) => ({
  'group_key.0': Object.keys(days).map((day) => `2026-${day}T00:00:00`),
  [STEPS]: Object.values(days),
})

/** What the tests of a file share. */
export class QueryFixture {
  salus!: Harness
  environment!: QueryEnvironment
  /** The query that is to be archived before the next one begins. */
  former: string | undefined

  /** A query that has begun, the only one that is active, and a person with it. */
  async begin(fields: object = {}, items: object[] = []) {
    const { salus, environment } = this
    if (this.former !== undefined) {
      await environment.manage('DELETE', `/continuous_query/${this.former}`)
    }
    const userId = await salus.makeUser('manual')
    if (items.length > 0) await environment.upload(userId, 'steps', items)
    const query = await environment.create(fields)
    this.former = query.id
    await environment.evaluateAfter(DELAY)
    return {
      userId,
      query,
      upload: (...more: object[]) => environment.upload(userId, 'steps', more),
      table: () => environment.tableOf(userId, query.slug),
      tasks: () => environment.tasksOf(userId, query.slug),
      changes: async () =>
        (await environment.changesOf(userId))
          .flat()
          .filter((change) => change.query_id === query.id)
          .map(({ data }) => data),
      /** Makes the stored row of a day say something else. */
      tamper: (day: string) =>
        salus.database.pool.query(
          `update continuous_query_rows set row = jsonb_set(row, '{1}', '-1')
          where user_id = $1 and query_id = $2 and row ->> 0 = $3`,
          [userId, query.id, `2026-${day}T00:00:00`],
        ),
    }
  }

  /** The store of health data, with something done before each of its answers. */
  withHook(hook: () => Promise<void>): ClickHouse {
    return new Proxy(this.salus.dependencies.clickhouse, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'queryBytes') return value.bind(target)
        return async (...rest: Parameters<ClickHouse['queryBytes']>) => {
          await hook()
          return target.queryBytes(...rest)
        }
      },
    })
  }
}

/** A fixture that is open while the tests of the file run. */
export function useQueryFixture(): QueryFixture {
  const fixture = new QueryFixture()
  before(async () => {
    fixture.salus = await createHarness()
    fixture.environment = await openQueryEnvironment(fixture.salus)
  })
  after(async () => {
    await fixture.environment?.app.close()
    await fixture.salus?.close()
  })
  return fixture
}
