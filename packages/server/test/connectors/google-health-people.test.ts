import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { TimeRange } from '@salus/health/connectors'
import { activeMinutes, caloriesOf } from '../../../sandbox/src/providers/people/activity.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { loggedMealsOn } from '../../../sandbox/src/providers/people/glucose.ts'
import { Heart, nightSignsOn } from '../../../sandbox/src/providers/people/heart.ts'
import { dateText } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { secondsIn, sleepsOn } from '../../../sandbox/src/providers/people/sleep.ts'
import { isWornDuring } from '../../../sandbox/src/providers/people/states.ts'
import { createGoogleVendor } from './google-health-vendor.ts'

/** What arrives equals what the emulated people did, as their calendars have it. */

const { closeVendor, emptyData, emulator, NAMES, NOW, pull, RANGE, signIn } = createGoogleVendor()
before(() => emulator.listen())
after(closeVendor)

describe('what is stored is what the person did', () => {
  // The device of this person uploads at once, so that everything until now is there.
  const account = 'anna+live'
  const calendar = new Calendar(personOf('google_health', account))
  const worn = (from: number, to: number) =>
    activeMinutes(calendar, { from, to }).filter(({ isWorn }) => isWorn)
  const data = emptyData()
  const pages = new Map<string, number>()
  // A whole day in the middle, in the time of the person.
  const day = calendar.dayAt(NOW - 10 * DAY_MS)

  before(async () => {
    const tokens = await signIn(account)
    for (const name of NAMES) pages.set(name, await pull(name, tokens, data))
  })

  const samplesOf = (series: string, { from, to }: TimeRange = day) =>
    data.samples.filter(
      (sample) => sample.series === series && sample.startedAt >= from && sample.startedAt < to,
    )
  const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
  const summariesOf = (resource: string) =>
    data.summaries.filter((one) => one.resource === resource)
  const columnsOf = (summary: { values: object } | undefined) =>
    (summary?.values ?? {}) as Record<string, unknown>

  test('nothing is refused, and long lists have several pages', async () => {
    assert.deepEqual(data.quarantined, [])
    assert.ok((pages.get('steps') ?? 0) >= 1)
    const many = emptyData()
    const range = { from: NOW - 60 * DAY_MS, to: NOW }
    assert.ok((await pull('sleep', await signIn(account), many, range)) > 2)
    assert.ok(new Set(many.summaries.map(({ recordId }) => recordId)).size > 40)
  })

  test('steps, distance, energy and heart rates, minute by minute', () => {
    const minutes = worn(day.from, day.to)
    const walked = minutes.filter(({ steps }) => steps > 0)
    const byTime = (series: string) =>
      new Map(samplesOf(series).map(({ startedAt, value }) => [startedAt, value]))
    // The phone counts too, and its steps are not stored a second time.
    assert.deepEqual(byTime('steps'), new Map(walked.map(({ at, steps }) => [at, steps])))
    const meters = new Map(
      minutes
        .filter((minute) => minute.meters > 0)
        .map((minute) => [minute.at, Math.round(minute.meters * 1000) / 1000]),
    )
    assert.deepEqual(byTime('distance'), meters)
    const rates = new Map<number, number>()
    new Heart(calendar).each(day, MINUTE_MS, (at, beats) => rates.set(at, beats))
    assert.deepEqual(byTime('heartrate'), rates)
    const offsets = new Set(samplesOf('heartrate').map(({ timezoneOffset }) => timezoneOffset))
    assert.ok(offsets.has(calendar.offsetAt(day.from + HOUR_MS) / 1000))
    const active = minutes
      .filter(({ met }) => met >= 2)
      .map(({ met }) => caloriesOf(met - 1, calendar.person.weightKilograms))
    assert.ok(Math.abs(sumOf([...byTime('calories_active').values()]) - sumOf(active)) < 0.1)
  })

  test('days, with the same sums', () => {
    const stored = summariesOf('activity').find(
      ({ calendarDate }) => calendarDate === dateText(day.number),
    )
    const values = columnsOf(stored)
    const minutes = worn(day.from, day.to)
    assert.equal(values.steps, sumOf(minutes.map(({ steps }) => steps)))
    const meters = sumOf(minutes.map((minute) => Math.round(minute.meters * 1000))) / 1000
    assert.ok(Math.abs((values.distance_meter as number) - meters) < 1e-6)
    const rates: number[] = []
    new Heart(calendar).each(day, MINUTE_MS, (_at, beats) => rates.push(beats))
    assert.equal(values.heart_rate_minimum, Math.min(...rates))
    assert.equal(values.heart_rate_maximum, Math.max(...rates))
    assert.ok(Math.abs((values.heart_rate_mean as number) - sumOf(rates) / rates.length) < 1e-9)
    const moderate = minutes.filter(({ met }) => met >= 3.2 && met < 6)
    assert.equal(values.intensity_medium_second, 60 * moderate.length)
    assert.equal(stored?.timeZone, calendar.zoneAt(NOW))
    assert.ok((values.heart_rate_resting as number) > 30)
  })

  test('nights, with their stages and signs', () => {
    const slept = [...Array(18).keys()]
      .flatMap((index) => sleepsOn(calendar, day.number - 8 + index))
      .filter((sleep) => sleep.to <= NOW - HOUR_MS && isWornDuring(calendar, sleep))
    const nights = slept.filter(({ kind }) => kind === 'night')
    assert.ok(nights.length > 8)
    for (const night of nights) {
      const stored = summariesOf('sleep').find(({ endedAt }) => endedAt === night.to)
      assert.equal(stored?.startedAt, night.from)
      assert.equal(stored?.timezoneOffset, calendar.offsetAt(night.to) / 1000)
      const values = columnsOf(stored)
      assert.equal(values.stage_deep_second, secondsIn(night, 'deep'))
      assert.equal(values.stage_rem_second, secondsIn(night, 'rem'))
      const awake = secondsIn(night, 'awake')
      assert.ok([awake, awake + 120].includes(values.stage_awake_second as number))
      const types = values.stage_type as number[]
      const [starts, ends] = [
        values.stage_start_offset_second as number[],
        values.stage_end_offset_second as number[],
      ]
      const inDeep = types.map((type, index) =>
        type === 1 ? (ends[index] ?? 0) - (starts[index] ?? 0) : 0,
      )
      assert.equal(sumOf(inDeep), secondsIn(night, 'deep'))
      const rates: number[] = []
      new Heart(calendar).each(night, MINUTE_MS, (_at, beats) => rates.push(beats))
      assert.equal(values.heart_rate_minimum, Math.min(...rates))
      const { temperatureDeviation, breath } = nightSignsOn(calendar, night.day)
      assert.ok(Math.abs((values.skin_temperature_delta as number) - temperatureDeviation) < 0.011)
      if (values.respiratory_rate !== null) assert.equal(values.respiratory_rate, breath)
    }
    const breaths = samplesOf('respiratory_rate', RANGE)
    // Each night has one rate: of its sample, or of its day.
    const known = nights.filter(({ to }) => to > RANGE.from + DAY_MS)
    assert.ok(breaths.length >= known.length && breaths.length <= slept.length + 4)
  })

  test('exercises, with tracks and heart rates', () => {
    const done = calendar
      .days({ from: RANGE.from + DAY_MS, to: NOW })
      .flatMap(({ exercises }) => exercises)
      .filter((exercise) => exercise.to <= NOW && isWornDuring(calendar, exercise))
    assert.ok(done.length > 1)
    for (const exercise of done) {
      const stored = summariesOf('workouts').find(({ startedAt }) => startedAt === exercise.from)
      assert.equal(stored?.endedAt, exercise.to)
      const values = columnsOf(stored)
      const minutes = activeMinutes(calendar, exercise)
      assert.equal(values.steps, sumOf(minutes.map(({ steps }) => steps)))
      assert.notEqual(values.sport_slug, 'other')
    }
    assert.ok(data.streams.size >= done.length)
    const hasTrack = done.some(({ sport }) => ['running', 'cycling'].includes(sport.name))
    const tracks = [...data.streams.values()].filter(({ lat }) => lat !== undefined)
    assert.equal(tracks.length > 0, hasTrack)
  })

  test('meals, drinks, the scale, the profile and the devices', () => {
    const logged = loggedMealsOn(calendar, day.number)
    const carbohydrates = samplesOf('carbohydrates')
    assert.deepEqual(
      carbohydrates.map(({ value }) => value).sort(),
      logged.map((meal) => meal.carbohydrates).sort(),
    )
    assert.ok(samplesOf('water', RANGE).length > 5)
    const { heightMeters, weightKilograms } = calendar.person
    const [profile] = summariesOf('profile')
    assert.equal(columnsOf(profile).height_centimeter, Math.round(heightMeters * 100))
    for (const { value } of samplesOf('body_weight', RANGE)) {
      assert.ok(Math.abs(value - weightKilograms) < 2)
    }
    const bodies = new Map(summariesOf('body').map((body) => [body.recordId, columnsOf(body)]))
    assert.ok(bodies.size > 3)
    for (const values of bodies.values()) {
      assert.ok(values.weight_kilogram !== null && values.fat_mass_percentage !== null)
    }
    const { devices = [] } = data.toArrivedData()
    assert.deepEqual(devices.map(({ device_model }) => device_model).sort(), [
      'Aria Air',
      'Charge 6',
    ])
  })

  test('a mean of a day stands where its samples are missing', () => {
    const oxygen = samplesOf('blood_oxygen', RANGE)
    const means = oxygen.filter(({ timezoneOffset }) => timezoneOffset === null)
    const sampled = new Set(
      oxygen
        .filter(({ timezoneOffset }) => timezoneOffset !== null)
        .map(({ startedAt, timezoneOffset }) => {
          // A night belongs to the day on which it ends.
          const local = startedAt + (timezoneOffset ?? 0) * 1000 + 12 * HOUR_MS
          return dateText(Math.floor(local / DAY_MS))
        }),
    )
    assert.ok(means.length > 2)
    for (const { startedAt, value } of means) {
      const number = Math.floor(startedAt / DAY_MS)
      assert.ok(!sampled.has(dateText(number)))
      assert.equal(value, nightSignsOn(calendar, number).oxygen)
    }
  })
})

test('rare events of people arrive too: electrocardiograms, alerts, glucose', async () => {
  const data = emptyData()
  const range = { from: NOW - 200 * DAY_MS, to: NOW }
  const tokens = await signIn('bob+live')
  for (const name of ['electrocardiogram', 'irregular-rhythm-notification']) {
    await pull(name, tokens, data, range)
  }
  await pull('blood-glucose', tokens, data)
  assert.deepEqual(data.quarantined, [])
  const readings = data.summaries.filter(({ resource }) => resource === 'electrocardiogram')
  assert.ok(readings.length > 0)
  const [reading] = readings
  const voltages = data.samples.filter(
    ({ series, startedAt }) =>
      series === 'electrocardiogram_voltage' &&
      startedAt >= (reading?.startedAt ?? 0) &&
      startedAt < (reading?.endedAt ?? 0),
  )
  assert.equal(voltages.length % 7500, 0)
  assert.equal((reading?.endedAt ?? 0) - (reading?.startedAt ?? 0), 30_000)
})
