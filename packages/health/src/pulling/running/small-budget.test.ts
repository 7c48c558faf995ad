import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import {
  createPullingFixture,
  type PullingFixture,
} from '../../../../server/test/pulling/pulling-fixture.ts'

let pulling: PullingFixture
/** A user whose whole history came in the first test. */
let userId: string
before(async () => {
  // Two requests at once and one in 3.3 seconds after them, of ranges that take six pages.
  const budgets = [{ per: 'credential' as const, requests: 20, seconds: 60 }]
  pulling = await createPullingFixture({}, { budgets })
})
after(() => pulling.close())

/** Lets time pass until everything requested is there; returns the number of requests. */
async function pullOn(userId: string): Promise<number> {
  const before = pulling.vendor.requestCount
  const until = pulling.harness.clock.now().getTime()
  for (let turn = 0; turn < 200; turn++) {
    await pulling.puller.poll()
    const { heart } = await pulling.tasksOf(userId)
    const { coverage = [] } = heart ?? {}
    const isHeld = coverage.every(({ state }) => state === 'held')
    if (isHeld && (coverage.at(-1)?.to ?? 0) >= until) {
      return pulling.vendor.requestCount - before
    }
    pulling.harness.clock.advance(10)
  }
  const { heart } = await pulling.tasksOf(userId)
  throw new Error(`not held: ${JSON.stringify(heart?.coverage)}`)
}

test('a history of more pages than the budget allows at once goes on where it was put off', async () => {
  userId = await pulling.connect()
  const requests = await pullOn(userId)
  const { rows, instants } = await pulling.countSamples(userId, 'heartrate')
  assert.equal(rows, instants)
  assert.ok(rows >= 180 * 1440, `${rows}`)
  // 36 pages of five days and the last, shorter one of each window, and few of the weights.
  assert.ok(requests < 80, `${requests}`)
  const { heartrate } = (await pulling.historyOf(userId)).pulled
  assert.equal(heartrate.status, 'success')
})

test('so does a poll after many days without one', async () => {
  const { rows: known } = await pulling.countSamples(userId, 'heartrate')
  const days = 20
  pulling.harness.clock.advance(days * DAY_SECONDS)
  const requests = await pullOn(userId)
  const { rows, instants } = await pulling.countSamples(userId, 'heartrate')
  assert.equal(rows, instants)
  assert.ok(rows >= known + days * 1440 - 10, `${rows - known}`)
  assert.ok(requests < 40, `${requests}`)
})
