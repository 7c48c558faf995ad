import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { createPullingFixture } from '../../../../server/test/pulling/pulling-fixture.ts'
import { storedEvents } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const pulling = useFixture(createPullingFixture)

const now = () => pulling.harness.clock.now().getTime()
const typesOf = async (userId: string) =>
  (await storedEvents(pulling.harness, userId)).map(({ event_type: type }) => type)
/** Minutes from the start of the day this many days ago until now. */
const minutesSince = (days: number, until = now()) =>
  Math.ceil((until - (Math.floor(until / DAY_MS) - days) * DAY_MS) / MINUTE_MS)

describe('a new connection', () => {
  test('has its history pulled newest first, one event when all of it is held, and then polls', async () => {
    const { vendor, puller, harness } = pulling
    vendor.asked = []
    const userId = await pulling.connect()
    const scheduled = (await pulling.historyOf(userId)).pulled.heartrate
    assert.equal(scheduled.status, 'scheduled')
    assert.deepEqual(scheduled.timeline.started_at, null)
    await puller.poll()
    const held = minutesSince(180)
    assert.deepEqual(await pulling.countSamples(userId, 'heartrate'), {
      rows: held,
      instants: held,
    })
    const { pulled, not_pulled } = await pulling.historyOf(userId)
    assert.deepEqual(Object.keys(pulled).sort(), ['heartrate', 'weight'])
    assert.ok(not_pulled.includes('sleep'))
    assert.equal(pulled.heartrate.status, 'success')
    assert.equal(pulled.heartrate.days_with_data, 181)
    assert.equal(pulled.heartrate.error_details, null)
    const types = await typesOf(userId)
    assert.deepEqual(types.filter((type) => type.startsWith('historical')).sort(), [
      'historical.data.heartrate.created',
      'historical.data.weight.created',
    ])
    const windows = vendor.asked.filter(({ collection }) => collection === 'heart')
    for (const [index, { range }] of windows.slice(0, -1).entries()) {
      assert.ok(range.to - range.from <= 30 * DAY_MS)
      if (index > 0) assert.equal(windows[index - 1]?.range.from, range.to)
    }
    const { heart } = await pulling.tasksOf(userId)
    assert.deepEqual(
      heart?.coverage.map(({ state }) => state),
      ['held'],
    )

    vendor.asked = []
    harness.clock.advance(16 * 60)
    await puller.poll()
    const [poll] = vendor.asked.filter(({ collection }) => collection === 'heart')
    assert.equal(poll?.range.to, now())
    assert.equal((await pulling.countSamples(userId, 'heartrate')).instants, minutesSince(180))
    const later = (await typesOf(userId)).slice(types.length)
    assert.ok(later.includes('daily.data.heartrate.created'), later.join())
    assert.ok(later.every((type) => type.startsWith('daily.data.')))
    const { body } = await harness.call('GET', `/v2/introspect/resources?user_id=${userId}`)
    const { last_attempt } = body.data[0].provider.oura.heartrate
    assert.equal(last_attempt.status, 'success')
  })
})
