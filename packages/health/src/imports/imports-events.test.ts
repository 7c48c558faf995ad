import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { exportXml, importFile, stepRecord } from '../../../server/test/imports/import-client.ts'
import { changeSettings, storedEvents } from '../../../server/test/stored-events.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

const heartRate = (minute: number): string =>
  stepRecord(minute, { type: 'HKQuantityTypeIdentifierHeartRate', unit: 'count/min', value: '70' })
const EXPORT = exportXml([stepRecord(0), stepRecord(9), heartRate(3)].join('\n'))

test('an import is history: it has an event for each resource, and none for samples', async () => {
  const userId = await salus.makeUser()
  await importFile(salus, userId, Buffer.from(EXPORT))
  const events = await storedEvents(salus, userId)
  assert.deepEqual(events.map(({ event_type: type }) => type).toSorted(), [
    'historical.data.activity.created',
    'historical.data.heartrate.created',
    'historical.data.steps.created',
    'provider.connection.created',
  ])
  const steps = events.find(({ event_type: type }) => type.includes('steps'))
  assert.deepEqual(steps?.payload.data, {
    user_id: userId,
    start_date: '2024-03-01T08:00:00+00:00',
    end_date: '2024-03-01T08:09:00+00:00',
    provider: 'apple_health_kit',
    is_final: true,
  })
  const { body } = await salus.call('GET', `/v2/introspect/historical_pull?user_id=${userId}`)
  assert.match(JSON.stringify(body), /steps/)
})

test('for a team that wants its history pushed, every sample has an event too', async () => {
  const userId = await salus.makeUser()
  await changeSettings(salus, { push_historical_data: true })
  await importFile(salus, userId, Buffer.from(EXPORT))
  await changeSettings(salus, { push_historical_data: false })
  const events = await storedEvents(salus, userId, /daily\.data\.steps\.created/)
  assert.deepEqual(
    events.flatMap(({ payload }) => payload.data.data.map(({ start }: { start: string }) => start)),
    ['2024-03-01T08:00:00+00:00', '2024-03-01T08:09:00+00:00'],
  )
  const types = (await storedEvents(salus, userId)).map(({ event_type: type }) => type)
  assert.equal(types.at(-1)?.startsWith('historical.data.'), true)
})
