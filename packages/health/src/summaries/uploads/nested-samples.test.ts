import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  type CheckedRead,
  createCheckedRead,
} from '../../../../server/test/summaries/checked-read.ts'
import { storedRows, uploadSummary } from '../../../../server/test/summaries/upload-summary.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'

const salus = useFixture(createHarness)
let read: CheckedRead
before(async () => {
  read = await createCheckedRead(salus)
})

const START = Date.UTC(2026, 1, 10, 8)
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()
const point = (seconds: number, value: number, unit = 'bpm') => ({
  value,
  unit,
  start_date: at(seconds),
  end_date: at(seconds),
})
const session = (seconds: number) => ({ id: 'one', start_date: at(0), end_date: at(seconds) })
/** Consecutive distances, each with a number of seconds and meters. */
const distances = (...parts: [seconds: number, meters: number][]) => {
  const ends = parts.map((_, index) =>
    parts.slice(0, index + 1).reduce((sum, [seconds]) => sum + seconds, 0),
  )
  const bulk = {
    anchor: at(0),
    value: parts.map(([, meters]) => meters),
    start_offset: [0, ...ends.slice(0, -1)],
    end_offset: ends,
  }
  return { stream: { components: { distance_walking_running: [bulk] } } }
}

/** The only summary of a new user after an upload, as it is read, and as it is stored. */
async function readBack(
  resource: SummaryResource,
  item: object,
  { provider = 'health_connect', userId }: { provider?: string; userId?: string } = {},
) {
  const person = userId ?? (await salus.makeUser(provider))
  const { status, body } = await uploadSummary(salus, person, resource, [item], { provider })
  assert.deepEqual([status, body.put_aside], [200, 0], JSON.stringify(body))
  const dates = 'start_date=2026-02-09&end_date=2026-02-12'
  const answer = await read(`/v2/summary/${resource}/${person}?${dates}`)
  assert.equal(answer.body[resource].length, 1)
  const [stored] = await storedRows(salus, person, resource)
  return { wire: answer.body[resource][0], stored: stored as Record<string, unknown> }
}

describe('a workout without values, completed by its samples', () => {
  test('heart rate, zones, distance and speed', async () => {
    const { wire, stored } = await readBack('workouts', {
      ...session(600),
      sport: 'running',
      // 190 is the most at thirty: 47 %, 53 %, 63 %, 74 %, 84 % and 95 %.
      heart_rate: [
        point(150, 140),
        point(0, 90),
        point(30, 100),
        point(50, 120),
        point(590, 180),
        point(220, 160),
        point(50, 120),
        point(-1, 200),
        point(601, 40),
      ],
      ...distances([100, 200], [100, 400], [100, 300]),
    })
    // (90 + 100 + 120 + 140 + 160 + 180) / 6 is 131.67; each rate holds until the next, for twice
    // their usual distance of 70 s at most.
    assert.deepEqual([wire.average_hr, wire.max_hr, stored.heart_rate_minimum], [132, 180, 90])
    assert.deepEqual(wire.hr_zones, [30, 20, 100, 70, 140, 10])
    assert.deepEqual([wire.distance, wire.average_speed, wire.max_speed], [900, 1.5, 4])
    // What was not measured is unknown.
    assert.deepEqual([wire.moving_time, wire.calories, wire.steps], [null, null, null])
  })

  test('zones by the birth date of the profile, else of the user, else by the rate of the client', async () => {
    const userId = await salus.makeUser('health_connect')
    const workout = { ...session(60), heart_rate: [point(0, 150)] }
    const zonesOf = async (item: object) =>
      (await readBack('workouts', item, { userId })).wire.hr_zones
    // 150 is 79 % of 190, 83 % of 180 of a user of forty, and 94 % of 160 of one of sixty.
    assert.deepEqual(await zonesOf(workout), [0, 0, 0, 60, 0, 0])
    const fallback = { fallback_birth_date: '1985-06-01' }
    assert.equal((await salus.call('PATCH', `/v2/user/${userId}`, fallback)).status, 204)
    assert.deepEqual(await zonesOf(workout), [0, 0, 0, 0, 60, 0])
    const profile = { date_of_birth: '1965-06-01' }
    const provider = 'health_connect'
    await uploadSummary(salus, userId, 'profile', profile, { provider })
    assert.deepEqual(await zonesOf(workout), [0, 0, 0, 0, 0, 60])
    assert.deepEqual(
      await zonesOf({ ...workout, heart_rate_zone_max_hr: 200 }),
      [0, 0, 0, 60, 0, 0],
    )
  })
})

describe('of a workout', () => {
  test('what the client says is never changed', async () => {
    const said = {
      heart_rate_mean: 150,
      heart_rate_maximum: 170,
      heart_rate_minimum: 110,
      heart_rate_zone_1: 7,
      distance: 5000,
      moving_time: 1000,
    }
    const heart_rate = [point(0, 60), point(10, 200)]
    const { wire, stored } = await readBack('workouts', {
      ...session(1800),
      ...said,
      heart_rate,
      ...distances([100, 300]),
    })
    assert.deepEqual([wire.average_hr, wire.max_hr, stored.heart_rate_minimum], [150, 170, 110])
    assert.deepEqual([wire.distance, wire.moving_time, wire.average_speed], [5000, 1000, 5])
    // One zone was given, and the others are not computed.
    assert.deepEqual([stored.heart_rate_zone_1, stored.heart_rate_zone_2], [7, null])
    assert.equal(wire.hr_zones, null)
    // Some part must have been as fast as the mean, though the only interval was slower.
    assert.equal(wire.max_speed, 5)
  })

  test('without samples, or with some outside of it alone, nothing is made up', async () => {
    for (const heart_rate of [[], [point(-10, 100), point(700, 100)]]) {
      const { wire } = await readBack('workouts', { ...session(600), heart_rate })
      const { average_hr, max_hr, hr_zones, distance, average_speed, max_speed } = wire
      const values = [average_hr, max_hr, hr_zones, distance, average_speed, max_speed]
      assert.deepEqual(
        values,
        values.map(() => null),
      )
    }
  })

  test('of no length there are rates, and neither zones nor speed', async () => {
    const item = { ...session(0), heart_rate: [point(0, 100)], ...distances([0, 50]) }
    const { wire } = await readBack('workouts', item)
    assert.deepEqual([wire.average_hr, wire.distance], [100, 50])
    assert.deepEqual([wire.hr_zones, wire.average_speed, wire.max_speed], [null, null, null])
  })
})

describe('a sleep without values, completed by its samples', () => {
  const samples = {
    heart_rate: [point(0, 60), point(3600, 50), point(7200, 46), point(-1, 90), point(30_000, 90)],
    heart_rate_variability: [point(3600, 40, 'rmssd'), point(7200, 65, 'rmssd')],
    respiratory_rate: [point(3600, 14), point(7200, 15), point(10_800, 13)],
    wrist_temperature: [
      { ...point(0, 34, '°C'), end_date: at(3600) },
      { ...point(3600, 35, '°C'), end_date: at(14_400) },
      { ...point(20_000, 30, '°C'), start_date: at(29_000), end_date: at(30_000) },
    ],
  }

  test('heart rate, its variability, respiration and temperature', async () => {
    const { wire, stored } = await readBack('sleep', { ...session(28_800), ...samples })
    assert.deepEqual([wire.hr_average, wire.hr_lowest], [52, 46])
    assert.equal(stored.heart_rate_maximum, 60)
    assert.deepEqual([wire.average_hrv, stored.hrv_mean_sdnn], [52.5, null])
    assert.equal(wire.respiratory_rate, 14)
    // One hour of 34 and three of 35.
    assert.equal(wire.skin_temperature, 34.75)
  })

  test('SDNN where they are of HealthKit, which is not shown as RMSSD', async () => {
    const item = { ...session(28_800), ...samples }
    const { wire, stored } = await readBack('sleep', item, { provider: 'apple_health_kit' })
    assert.deepEqual([wire.average_hrv, stored.hrv_mean_sdnn], [null, 52.5])
  })

  test('only what it left out', async () => {
    const { wire, stored } = await readBack('sleep', {
      ...session(28_800),
      ...samples,
      heart_rate_mean: 48,
      hrv_mean_sdnn: 33,
      respiratory_rate_mean: 16.5,
    })
    assert.deepEqual([wire.hr_average, wire.hr_lowest, stored.heart_rate_maximum], [48, 46, 60])
    assert.deepEqual([wire.average_hrv, wire.respiratory_rate], [33, 16.5])
  })
})
