import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { VendorTokens } from '@salus/health/connectors'
import { activeMinutes, caloriesOf } from '../../../sandbox/src/providers/people/activity.ts'
import * as people from '../../../sandbox/src/providers/people/body.ts'
import { Calendar, type Day } from '../../../sandbox/src/providers/people/days.ts'
import { Heart } from '../../../sandbox/src/providers/people/heart.ts'
import { dateText } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { secondsIn, sleepsOn } from '../../../sandbox/src/providers/people/sleep.ts'
import { isWornDuring } from '../../../sandbox/src/providers/people/states.ts'
import { assertSummary } from './assert-summary.ts'
import { EmulatedSession, rowsOf } from './emulated-session.ts'

/** What the connector reads from the emulated vendor equals the person to the unit. */

const session = new EmulatedSession('withings')
const ACCOUNT = 'anna'
const calendar = new Calendar(personOf('withings', ACCOUNT))
/** Longer ago than the watch may take to upload. */
const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 20) }
const isWithin = ({ at }: { at: number }) => at >= RANGE.from && at < RANGE.to
const days: readonly Day[] = calendar.days(RANGE)
const offsetOf = (at: number) => calendar.offsetAt(at) / 1000

let tokens: VendorTokens

before(async () => {
  await session.listen()
  tokens = (await session.signIn(ACCOUNT)).tokens
})
after(() => session.close())

/** Facts of each day, where there are some. */
const each = <Fact>(factsOn: (calendar: Calendar, day: number) => Fact | undefined): Fact[] =>
  days.flatMap(({ number }) => factsOn(calendar, number) ?? [])

test('a person signs in and is known by the id that messages name', async () => {
  const { tokens: own, grantedScopes } = await session.signIn('bob')
  const id = session.emulator.accountIdOf('withings', 'bob')
  const { auth } = session.connector
  assert.equal(await auth.identify(session.fetchAs(own), own), id)
  assert.deepEqual(grantedScopes, auth.scopes)
})

test('measures are those of the person, and of no one else', async () => {
  const data = await session.pull('measures', tokens, RANGE)
  const plain = (name: string) =>
    rowsOf(data, name).map(({ startedAt, value, timezoneOffset }) => [
      startedAt,
      value,
      timezoneOffset,
    ])
  const weighings = each(people.weighingOn).filter(isWithin)
  assert.ok(weighings.length > 10)
  assert.deepEqual(
    plain('body_weight'),
    weighings.map(({ at, kilograms }) => [at, kilograms, offsetOf(at)]),
  )
  assert.deepEqual(
    plain('body_fat'),
    weighings.map(({ at, fatPercent }) => [at, fatPercent, offsetOf(at)]),
  )
  const rounded = (value: number) => value.toFixed(9)
  assert.deepEqual(
    data.summaries.map((summary) => {
      assertSummary(summary, 'body')
      const { startedAt, values } = summary
      const { muscle_mass_percentage: muscle, bone_mass_percentage: bone } = values
      return [
        startedAt,
        values.lean_body_mass_kilogram,
        rounded(muscle ?? 0),
        rounded(bone ?? 0),
        rounded(values.water_percentage ?? 0),
        values.visceral_fat_index,
      ]
    }),
    weighings.map((one) => [
      one.at,
      one.leanKilograms,
      rounded((100 * one.muscleKilograms) / one.kilograms),
      rounded((100 * one.boneKilograms) / one.kilograms),
      rounded((100 * one.waterKilograms) / one.kilograms),
      one.visceralIndex,
    ]),
  )
  const pressures = each(people.pressuresOn).flat().filter(isWithin)
  assert.deepEqual(
    rowsOf(data, 'blood_pressure').map(({ startedAt, value, diastolic, sourceType }) => [
      startedAt,
      value,
      diastolic,
      sourceType,
    ]),
    pressures.map(({ at, systolic, diastolic }) => [at, systolic, diastolic, 'cuff']),
  )
  assert.deepEqual(
    plain('heartrate'),
    pressures.map(({ at, beats }) => [at, beats, offsetOf(at)]),
  )
  for (const [series, factsOn] of [
    ['body_temperature', people.temperatureOn],
    ['blood_oxygen', people.oxygenOn],
  ] as const) {
    const facts = each(factsOn).filter(isWithin)
    assert.ok(facts.length > 2)
    assert.deepEqual(
      plain(series),
      facts.map(({ at, value }) => [at, value, offsetOf(at)]),
    )
  }
})

test('days have the steps, meters and intensities of their minutes', async () => {
  const { summaries } = await session.pull('activity', tokens, RANGE)
  for (const { number, from, to, zone } of days) {
    const day = summaries.find(({ calendarDate }) => calendarDate === dateText(number))
    assertSummary(day, 'activity')
    const worn = activeMinutes(calendar, { from, to }).filter(({ isWorn }) => isWorn)
    const sum = (amountOf: (minute: (typeof worn)[number]) => number) =>
      worn.reduce((total, minute) => total + amountOf(minute), 0)
    const { values } = day
    assert.equal(day.timeZone, zone)
    assert.equal(day.timezoneOffset, offsetOf(from))
    assert.equal(
      values.steps,
      sum(({ steps }) => steps),
    )
    // The vendor has whole millimeters.
    assert.ok(Math.abs((values.distance_meter ?? 0) - sum(({ meters }) => meters)) < 0.001)
    assert.equal(values.intensity_high_second, 60 * sum(({ met }) => (met >= 6 ? 1 : 0)))
    assert.ok((values.calories_total ?? 0) > (values.calories_active ?? 0))
  }
})

test('heart rates of days are those of the heart, at the offset of the place', async () => {
  const data = await session.pull('intraday', tokens, RANGE)
  const expected: [number, number, number][] = []
  new Heart(calendar).each(RANGE, 10 * MINUTE_MS, (at, beats) => {
    expected.push([at, beats, offsetOf(at)])
  })
  assert.ok(expected.length > 2_000)
  assert.deepEqual(
    rowsOf(data, 'heartrate').map(({ startedAt, value, timezoneOffset }) => [
      startedAt,
      value,
      timezoneOffset,
    ]),
    expected,
  )
  assert.ok(rowsOf(data, 'blood_oxygen').length > 20)
})

test('workouts have the sport, the times and the distance of the exercise', async () => {
  const { summaries } = await session.pull('workouts', tokens, RANGE)
  const SLUGS: Record<string, string> = { strength_training: 'weightlifting' }
  const exercises = days.flatMap((day) =>
    day.exercises.filter((one) => isWornDuring(calendar, one)),
  )
  assert.ok(exercises.length > 3)
  for (const { from, to, sport } of exercises) {
    const workout = summaries.find(({ startedAt }) => startedAt === from)
    assertSummary(workout, 'workouts')
    const minutes = activeMinutes(calendar, { from, to })
    const meters = minutes.reduce((sum, one) => sum + one.meters, 0)
    const weight = calendar.person.weightKilograms
    const energy = minutes.reduce((sum, { met }) => sum + caloriesOf(met - 1, weight), 0)
    const { values, endedAt, timezoneOffset } = workout
    assert.deepEqual([endedAt, timezoneOffset], [to, offsetOf(from)])
    assert.equal(values.sport_slug, SLUGS[sport.name] ?? sport.name)
    assert.equal(values.distance_meter, Math.round(meters))
    assert.equal(values.calories, Math.round(energy))
    assert.equal(values.duration_active_second, (to - from) / 1000 - 60)
  }
})

const STAGES = { deep: 1, light: 2, rem: 3, awake: 4 }

test('nights have the stages of the sleep, and end on their day', async () => {
  const { summaries, samples } = await session.pull('sleep', tokens, RANGE)
  const sleeps = days
    .flatMap(({ number }) => sleepsOn(calendar, number))
    .filter((sleep) => isWornDuring(calendar, sleep))
  assert.ok(sleeps.length > 10)
  for (const sleep of sleeps) {
    const night = summaries.find(
      ({ startedAt, sourceType }) => startedAt === sleep.from && sourceType === 'watch',
    )
    assertSummary(night, 'sleep')
    const { values, endedAt, calendarDate, timezoneOffset } = night
    assert.deepEqual(
      [endedAt, calendarDate, timezoneOffset],
      [sleep.to, dateText(sleep.day), offsetOf(sleep.to)],
    )
    const seconds = (['light', 'deep', 'rem', 'awake'] as const).map((one) => secondsIn(sleep, one))
    const { stage_light_second, stage_deep_second, stage_rem_second, stage_awake_second } = values
    assert.deepEqual(
      [stage_light_second, stage_deep_second, stage_rem_second, stage_awake_second],
      seconds,
    )
    const slots = values.stage_type.flatMap((type, position) => {
      const from = values.stage_start_offset_second[position] ?? 0
      const to = values.stage_end_offset_second[position] ?? 0
      return Array(Math.round((to - from) / 300)).fill(type)
    })
    assert.deepEqual(
      slots,
      sleep.stages.map((stage) => STAGES[stage]),
    )
  }
  assert.ok(samples.length > 100)
  const beats = new Map<number, number>()
  new Heart(calendar).each(
    { from: RANGE.from - 2 * DAY_MS, to: RANGE.to + 3 * DAY_MS },
    10 * MINUTE_MS,
    (at, rate) => beats.set(at, rate),
  )
  assert.ok(samples.every(({ startedAt, value }) => beats.get(startedAt) === value))
})

test('electrocardiograms have their voltages in millivolts, and fibrillation is an alert', async () => {
  const data = await session.pull('heart', tokens, RANGE)
  const recordings = each(people.recordingOn).filter(isWithin)
  assert.deepEqual(
    data.summaries.map((summary) => {
      assertSummary(summary, 'electrocardiogram')
      const { startedAt, endedAt, values } = summary
      return [startedAt, endedAt - startedAt, values.classification, values.heart_rate_mean]
    }),
    recordings.map(({ at, beats, hasFibrillation }) => [
      at,
      30_000,
      hasFibrillation ? 'atrial_fibrillation' : 'sinus_rhythm',
      beats,
    ]),
  )
  const [first] = recordings
  assert.ok(first !== undefined)
  const microvolts = people.voltagesOf(first, 300, 30)
  assert.deepEqual(
    rowsOf(data, 'electrocardiogram_voltage')
      .slice(0, microvolts.length)
      .map(({ value }) => value),
    microvolts.map((value) => value / 1000 + 0),
  )
  assert.deepEqual(
    rowsOf(data, 'heart_rate_alert').map(({ startedAt }) => startedAt),
    recordings.filter(({ hasFibrillation }) => hasFibrillation).map(({ at }) => at),
  )
})

test('devices are those of the person', async () => {
  const devices = (await session.pull('devices', tokens, RANGE)).toArrivedData().devices ?? []
  const models = devices.map(({ device_model }) => device_model)
  assert.deepEqual(models.slice(0, 4), ['Body Cardio', 'BPM Connect', 'ScanWatch', 'Thermo'])
})
