import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stepsAt } from './query-environment.ts'
import { DELAY, GAP, type QueryFixture, tableOf } from './query-fixture.ts'

/** When queries are evaluated. */
export function describeSchedule(fixture: QueryFixture): void {
  describe('the schedule', () => {
    test('keeps the gap of the query from one evaluation to the next', async () => {
      const scheduling_preferences = { minimum_gap_duration_second: 7200 }
      const { upload, table, tasks } = await fixture.begin({ scheduling_preferences }, [
        stepsAt('2026-02-10T08:00:00Z', 1),
      ])
      await upload(stepsAt('2026-02-10T09:00:00Z', 1))
      await fixture.environment.evaluateAfter(7199)
      assert.deepEqual(await tasks(), ['scheduled', 'completed'])
      await fixture.environment.evaluateAfter(1)
      assert.deepEqual(await table(), tableOf({ '02-10': 2 }))
      // The gap is over long before the next change, which then waits for a minute alone.
      fixture.salus.clock.advance(7200)
      await upload(stepsAt('2026-02-10T10:00:00Z', 1))
      await fixture.environment.evaluateAfter(DELAY)
      assert.deepEqual(await table(), tableOf({ '02-10': 3 }))
    })

    test('evaluates once more what was noted too late to be sure that it was read', async () => {
      const { upload, table, tasks } = await fixture.begin({}, [stepsAt('2026-02-10T08:00:00Z', 1)])
      await upload(stepsAt('2026-02-10T09:00:00Z', 1))
      fixture.salus.clock.advance(GAP - 10)
      await upload(stepsAt('2026-02-10T10:00:00Z', 1))
      await fixture.environment.evaluateAfter(10)
      assert.deepEqual(await table(), tableOf({ '02-10': 3 }))
      assert.deepEqual(await tasks(), ['scheduled', 'completed', 'completed'])
      await fixture.environment.evaluateAfter(GAP)
      assert.deepEqual(await tasks(), ['skipped', 'completed', 'completed'])
    })

    test('loses no change that comes while an evaluation runs', async () => {
      const { upload, table, tasks, tamper } = await fixture.begin({}, [
        stepsAt('2026-02-10T08:00:00Z', 1),
      ])
      await upload(stepsAt('2026-02-10T09:00:00Z', 1))
      fixture.salus.clock.advance(GAP)
      // Stored before the evaluation reads, but noted after it was decided what it reads.
      const clickhouse = fixture.withHook(async () => {
        await upload(stepsAt('2026-02-13T09:00:00Z', 7))
        await upload(stepsAt('2026-02-12T09:00:00Z', 8))
      })
      await fixture.environment.evaluate({ clickhouse })
      assert.deepEqual(await table(), tableOf({ '02-10': 2 }))
      assert.deepEqual(await tasks(), ['scheduled', 'completed', 'completed'])
      // What was evaluated is not evaluated again.
      await tamper('02-10')
      await fixture.environment.evaluateAfter(GAP)
      assert.deepEqual(await table(), tableOf({ '02-10': -1, '02-12': 8, '02-13': 7 }))
      assert.deepEqual(await tasks(), ['completed', 'completed', 'completed'])
    })
  })
}
