import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import { stepsAt } from './query-environment.ts'
import { DELAY, GAP, type QueryFixture, tableOf } from './query-fixture.ts'

/** What becomes of evaluations that do not come to their end. */
export function describeFailures(fixture: QueryFixture): void {
  describe('an evaluation that fails', () => {
    const broken = () =>
      fixture.withHook(() => Promise.reject(new ClickHouseError(241, 'value 4711 of Ada')))

    test('is reported in constant words and tried again, ever later', async () => {
      fixture.salus.errors.expect('a continuous query could not be evaluated')
      const { userId, query, upload, table, tasks } = await fixture.begin({}, [
        stepsAt('2026-02-10T08:00:00Z', 1),
      ])
      await upload(stepsAt('2026-02-11T08:00:00Z', 1))
      fixture.salus.clock.advance(GAP)
      await fixture.environment.evaluate({ clickhouse: broken() })
      assert.deepEqual(await tasks(), ['scheduled', 'error', 'completed'])
      const path = `/aggregate/v1/user/${userId}/continuous_query/${query.slug}/task_history`
      const { data } = (await fixture.environment.call('GET', path)).body
      assert.equal(
        data[1].error_details,
        'The store of health data did not answer the query. It is retried.',
      )
      await fixture.environment.evaluateAfter(59)
      assert.equal((await tasks())[0], 'scheduled')
      fixture.salus.clock.advance(1)
      await fixture.environment.evaluate({ clickhouse: broken() })
      await fixture.environment.evaluateAfter(299)
      assert.deepEqual(await tasks(), ['scheduled', 'error', 'error', 'completed'])
      assert.deepEqual(await table(), tableOf({ '02-10': 1 }))
      await fixture.environment.evaluateAfter(1)
      assert.deepEqual(await table(), tableOf({ '02-10': 1, '02-11': 1 }))
      assert.deepEqual(await tasks(), ['completed', 'error', 'error', 'completed'])
    })

    test('or is cut short is repeated when its claim has ended, and stores nothing twice', async () => {
      const { userId, upload, table, tasks, changes } = await fixture.begin({}, [
        stepsAt('2026-02-10T08:00:00Z', 1),
      ])
      const other = await fixture.environment.create()
      await fixture.environment.evaluateAfter(DELAY)
      await upload(stepsAt('2026-02-11T08:00:00Z', 1))
      fixture.salus.clock.advance(GAP)
      // Both claims end, and another process does the work, before the first one comes to store it.
      let isFirst = true
      const clickhouse = fixture.withHook(async () => {
        if (!isFirst) return
        isFirst = false
        await fixture.environment.evaluateAfter(601)
      })
      await fixture.environment.evaluate({ clickhouse })
      assert.deepEqual(await table(), tableOf({ '02-10': 1, '02-11': 1 }))
      assert.deepEqual(await tasks(), ['completed', 'completed'])
      assert.deepEqual(await fixture.environment.tasksOf(userId, other.slug), [
        'completed',
        'completed',
      ])
      assert.equal((await changes()).length, 2)
      await fixture.environment.manage('DELETE', `/continuous_query/${other.id}`)
    })
  })
}
