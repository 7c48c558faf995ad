import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ClickHouseError } from '../../../platform/clickhouse/clickhouse-error.ts'
import { stepsAt } from './query-place.ts'
import { DELAY, GAP, type Stage, tableOf } from './stage.ts'

/** What becomes of evaluations that do not come to their end. */
export function describeFailures(stage: Stage): void {
  describe('an evaluation that fails', () => {
    const broken = () =>
      stage.withHook(() => Promise.reject(new ClickHouseError(241, 'value 4711 of Ada')))

    test('is told in constant words and tried again, ever later', async () => {
      const { userId, query, upload, table, tasks } = await stage.begin({}, [
        stepsAt('2026-02-10T08:00:00Z', 1),
      ])
      await upload(stepsAt('2026-02-11T08:00:00Z', 1))
      stage.salus.clock.advance(GAP)
      await stage.place.evaluate({ clickhouse: broken() })
      assert.deepEqual(await tasks(), ['scheduled', 'error', 'completed'])
      const path = `/aggregate/v1/user/${userId}/continuous_query/${query.slug}/task_history`
      const { data } = (await stage.place.call('GET', path)).body
      assert.equal(
        data[1].error_details,
        'The store of health data did not answer the query. It will be tried again.',
      )
      await stage.place.evaluateAfter(59)
      assert.equal((await tasks())[0], 'scheduled')
      stage.salus.clock.advance(1)
      await stage.place.evaluate({ clickhouse: broken() })
      await stage.place.evaluateAfter(299)
      assert.deepEqual(await tasks(), ['scheduled', 'error', 'error', 'completed'])
      assert.deepEqual(await table(), tableOf({ '02-10': 1 }))
      await stage.place.evaluateAfter(1)
      assert.deepEqual(await table(), tableOf({ '02-10': 1, '02-11': 1 }))
      assert.deepEqual(await tasks(), ['completed', 'error', 'error', 'completed'])
    })

    test('or is cut short is repeated when its claim has ended, and stores nothing twice', async () => {
      const { userId, upload, table, tasks, changes } = await stage.begin({}, [
        stepsAt('2026-02-10T08:00:00Z', 1),
      ])
      const other = await stage.place.create()
      await stage.place.evaluateAfter(DELAY)
      await upload(stepsAt('2026-02-11T08:00:00Z', 1))
      stage.salus.clock.advance(GAP)
      // Both claims end, and another process does the work, before the first one comes to store it.
      let isFirst = true
      const clickhouse = stage.withHook(async () => {
        if (!isFirst) return
        isFirst = false
        await stage.place.evaluateAfter(601)
      })
      await stage.place.evaluate({ clickhouse })
      assert.deepEqual(await table(), tableOf({ '02-10': 1, '02-11': 1 }))
      assert.deepEqual(await tasks(), ['completed', 'completed'])
      assert.deepEqual(await stage.place.tasksOf(userId, other.slug), ['completed', 'completed'])
      assert.equal((await changes()).length, 2)
      await stage.place.manage('DELETE', `/continuous_query/${other.id}`)
    })
  })
}
