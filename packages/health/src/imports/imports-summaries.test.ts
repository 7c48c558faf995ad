import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import polylineCodec from '@googlemaps/polyline-codec'
import { createHarness } from '../../../server/test/harness.ts'
import { fixture, importFile } from '../../../server/test/imports/import-client.ts'
import { contentOf, streamsOf, summariesOf } from '../../../server/test/imports/stored-summaries.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

interface DayTruth {
  steps: { iphone: number; watch: number }
  heart_rate: { min: number; max: number; mean: number }
  resting_hr: number
  hrv_sdnn?: number
  sleep_seconds_by_stage_night_ending?: Record<string, number>
  in_bed_seconds?: number
  body_mass_kg?: number
  workout?: { type: string; minutes: number; km: number; kcal: number }
  active_energy_kcal: number
}
const TRUTH: { daily: Record<string, DayTruth>; workouts: number; routes: number } = JSON.parse(
  fixture('synthetic-30d-export.truth.json').toString(),
)
const DAYS = Object.entries(TRUTH.daily)

/**
 * Computed independently of Salus from the truth: SDNN, resting heart rate and stages of each
 * night.
 */
const RECOVERY = [
  ...Array(7).fill(null),
  ...[78, 49, 43, 55, 64, 77, 24, 68, 48, 80, 39, 86, 65, 62, 60, 54, 69, 48, 35, 71, 65, 67, 33],
]

const localDate = (at: string, offset: number | null): string =>
  new Date(Date.parse(`${at}Z`) + (offset ?? 0) * 1000).toISOString().slice(0, 10)

test('thirty days of a person become the summaries that they were made from', async (t) => {
  const userId = await salus.makeUser()
  await importFile(salus, userId, fixture('synthetic-30d-export.zip'))

  await t.test('a day of activity for every day', async () => {
    const days = await summariesOf(salus, userId, 'activity')
    assert.deepEqual(
      days.map(({ calendar_date: date }) => date),
      DAYS.map(([date]) => date),
    )
    for (const [index, [date, truth]] of DAYS.entries()) {
      const day = days[index] as (typeof days)[0]
      assert.deepEqual(
        [day.external_id, day.source_type, day.app_id],
        [date, 'multiple_sources', ''],
      )
      assert.equal(day.calories_active, truth.active_energy_kcal, date)
      assert.deepEqual(
        [day.heart_rate_minimum, day.heart_rate_maximum, day.heart_rate_resting],
        [truth.heart_rate.min, truth.heart_rate.max, truth.resting_hr],
        date,
      )
      assert.ok(Math.abs((day.heart_rate_mean ?? 0) - truth.heart_rate.mean) < 0.001, date)
      const { iphone, watch } = truth.steps
      assert.ok((day.steps ?? 0) >= Math.max(iphone, watch), `${date}: ${day.steps}`)
      assert.ok((day.steps ?? 0) <= iphone + watch, `${date}: ${day.steps}`)
      const before = date < '2024-03-10'
      assert.equal(day.timezone_offset, before ? -28_800 : -25_200, date)
    }
    assert.equal(days[0]?.duration_active_second, 23 * 60)
  })

  await t.test('a sleep for every night, with its stages and time in bed', async () => {
    const sleeps = await summariesOf(salus, userId, 'sleep')
    const nights = DAYS.filter(([, truth]) => truth.sleep_seconds_by_stage_night_ending)
    const dates = sleeps.map(({ ended_at: end, timezone_offset: offset }) => localDate(end, offset))
    assert.deepEqual(
      dates,
      nights.map(([date]) => date),
    )
    for (const [index, [date, truth]] of nights.entries()) {
      const sleep = sleeps[index] as (typeof sleeps)[0]
      const stages = truth.sleep_seconds_by_stage_night_ending ?? {}
      assert.deepEqual(
        [
          sleep.stage_light_second,
          sleep.stage_deep_second,
          sleep.stage_rem_second,
          sleep.stage_awake_second,
        ],
        ['AsleepCore', 'AsleepDeep', 'AsleepREM', 'Awake'].map((stage) => stages[stage] ?? 0),
        date,
      )
      assert.equal(sleep.duration_second, truth.in_bed_seconds, date)
      assert.equal(sleep.type, 'long_sleep')
      assert.equal(sleep.time_zone, 'America/Los_Angeles')
      assert.equal(sleep.stage_type.length, sleep.stage_start_offset_second.length)
      if (truth.hrv_sdnn) assert.equal(sleep.hrv_mean_sdnn, truth.hrv_sdnn, date)
      assert.ok((sleep.heart_rate_minimum ?? 0) >= truth.heart_rate.min, date)
    }
    const [first] = sleeps
    assert.equal(first?.latency_second, 5 * 60)
  })

  await t.test('and give the recovery of every night that has seven before it', async () => {
    const { body, text, status } = await salus.call('POST', `/aggregate/v1/user/${userId}/query`, {
      timeframe: { type: 'relative', anchor: '2024-03-30', past: { unit: 'day', value: 30 } },
      queries: [
        {
          select: ['date', 'recovery_score', 'strain_score'].map((derived_readiness) => ({
            derived_readiness,
          })),
        },
      ],
    })
    assert.equal(status, 200, text)
    const [{ table }] = body.results
    assert.deepEqual(
      table.date,
      DAYS.map(([date]) => date),
    )
    assert.deepEqual(table.recovery_score, RECOVERY)
    assert.deepEqual(
      table.strain_score.map((strain: number | null) => strain === null),
      RECOVERY.map((recovery) => recovery === null),
    )
  })

  await t.test('a workout for every workout, with its distance and energy', async () => {
    const workouts = await summariesOf(salus, userId, 'workouts')
    const expected = DAYS.flatMap(([date, { workout }]) =>
      workout ? [[date, workout] as const] : [],
    )
    assert.equal(workouts.length, TRUTH.workouts)
    assert.deepEqual(
      workouts.map((workout) => [
        localDate(workout.started_at, workout.timezone_offset),
        workout.sport_slug,
        workout.duration_active_second,
        Math.round(workout.distance_meter ?? 0),
        workout.calories,
      ]),
      expected.map(([date, { type, minutes, km, kcal }]) => [
        date,
        type.replace('HKWorkoutActivityType', '').toLowerCase(),
        minutes * 60,
        Math.round(km * 1000),
        kcal,
      ]),
    )
    const zones = workouts.map((workout) => workout.heart_rate_zone_1)
    assert.ok(zones.every((seconds) => seconds === null || seconds >= 0))
    assert.deepEqual(new Set(workouts.map(({ source_type: type }) => type)), new Set(['watch']))
  })

  await t.test('a stream for every route, joined with the heart rates', async () => {
    const workouts = await summariesOf(salus, userId, 'workouts')
    const streams = await streamsOf(salus, userId)
    const mapped = workouts.filter(({ map_polyline: line }) => line !== null)
    assert.equal(mapped.length, TRUTH.routes)
    for (const workout of mapped) {
      const stream = streams.find(({ workout_id: id }) => id === workout.id)
      const latitudes = stream?.lat.filter((value) => value !== null) ?? []
      const line = polylineCodec.decode(workout.map_polyline ?? '')
      assert.equal(line.length, latitudes.length)
      assert.ok(Math.abs((line[0]?.[0] ?? 0) - (latitudes[0] ?? 0)) < 0.00001)
      const summary = polylineCodec.decode(workout.map_summary_polyline ?? '')
      assert.ok(summary.length <= 100)
      assert.deepEqual([summary[0], summary.at(-1)], [line[0], line.at(-1)])
      assert.ok((stream?.distance.filter((value) => value !== null).at(-1) ?? 0) > 0)
      assert.ok((workout.elevation_maximum_meter ?? 0) >= (workout.elevation_minimum_meter ?? 0))
      assert.ok((workout.speed_maximum ?? 0) >= (workout.speed_mean ?? 0))
    }
    const first = streams.find(({ workout_id: id }) => id === mapped[0]?.id)
    const [start] = first?.time ?? []
    // The first route point of the file.
    assert.equal(
      first?.lat[first.time.indexOf(Date.parse('2024-03-02T01:44:00Z') / 1000)],
      37.770035,
    )
    assert.ok((start ?? 0) <= Date.parse('2024-03-02T01:44:00Z') / 1000)
    for (const { time } of streams) {
      assert.ok(time.every((second, index) => index === 0 || second > (time[index - 1] ?? 0)))
    }
  })

  await t.test('weights and the profile', async () => {
    const body = await summariesOf(salus, userId, 'body')
    const weights = DAYS.flatMap(([, truth]) => truth.body_mass_kg ?? [])
    assert.deepEqual(
      body.map(({ weight_kilogram: weight }) => weight),
      weights,
    )
    assert.equal(body[0]?.app_id, 'Withings')
    const [profile, ...more] = await summariesOf(salus, userId, 'profile')
    assert.deepEqual([profile?.birth_date, profile?.sex, more.length], ['1986-03-14', null, 0])
  })

  await t.test('the same file again changes nothing', async () => {
    const before = await contentOf(salus, userId)
    const again = await importFile(salus, userId, fixture('synthetic-30d-export.zip'))
    for (const { imported, updated, replaced } of again.progress.summaries) {
      assert.deepEqual([imported, updated, replaced], [0, 0, 0])
    }
    assert.deepEqual(await contentOf(salus, userId), before)
  })
})

test('workouts of old and new exports, with units converted', async () => {
  const userId = await salus.makeUser()
  await importFile(salus, userId, fixture('health-export-cli-export.zip'))
  const workouts = await summariesOf(salus, userId, 'workouts')
  assert.deepEqual(
    workouts.map((workout) => [
      workout.started_at.slice(0, 10),
      workout.sport_slug,
      Math.round(workout.distance_meter ?? -1),
      workout.calories === null ? null : Math.round(workout.calories),
      workout.duration_active_second,
      workout.source_type,
    ]),
    [
      ['2023-12-28', 'running', 2500, 215, 750, 'unknown'],
      ['2024-01-05', 'running', 5000, null, 1800, 'unknown'],
      ['2024-04-01', 'cycling', 20_000, null, 3600, 'unknown'],
      ['2024-06-10', 'running', 6000, null, 1800, 'unknown'],
      ['2025-02-01', 'running', 5000, 100, 1500, 'app'],
      ['2025-03-01', 'running', 10_000, null, 3300, 'unknown'],
      ['2025-04-06', 'running', 21_098, null, 7080, 'unknown'],
      ['2025-05-04', 'running', 42_195, null, 14_400, 'unknown'],
    ],
  )
  const route = (await streamsOf(salus, userId)).find(({ time }) => time.length === 11)
  // Eleven points, each 0.009 degrees further north: a kilometer and a thousandth.
  assert.equal(Math.round(route?.distance.at(-1) ?? 0), 10_008)
})
