import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import type { PageData } from '@salus/health/connectors'
import { countedOn, restingRateOn, rowsOn } from '../../../sandbox/src/providers/fitbit/days.ts'
import { fitbitUntil, spanOfDay, zoneOf } from '../../../sandbox/src/providers/fitbit/frame.ts'
import {
  foodsOn,
  temperaturesOn,
  waterOn,
  weighingsOn,
} from '../../../sandbox/src/providers/fitbit/logs.ts'
import { fitnessOf, isIrregular } from '../../../sandbox/src/providers/fitbit/ranges.ts'
import {
  breathsOf,
  levelsOf,
  measuredNight,
  nightMinutes,
  secondsOf,
  skinOf,
  sleepsOfDay,
} from '../../../sandbox/src/providers/fitbit/sleeps.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { dateText, offsetAt } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { assertSameRows, GrantedConnector } from './granted-connector.ts'

/** The connector and the emulated Fitbit, which share no code, understand each other. */

const fitbit = new GrantedConnector('fitbit')
// Noon, when no zone is near midnight, of a day on which all zones have the same date.
const NOW = Date.parse('2026-03-01T12:00:00Z')
fitbit.clock.now = () => new Date(NOW)
const DAYS = 20
const TODAY = Math.floor(NOW / DAY_MS)
const RANGE = { from: (TODAY - DAYS) * DAY_MS, to: NOW }

before(() => fitbit.emulator.listen())
after(() => fitbit.close())

let apps = 0
/** Pulls by an app of its own, because the vendor lets each send 150 requests an hour. */
async function pull(account: string, name: string): Promise<PageData> {
  apps += 1
  const tokens = await fitbit.grant(account, undefined, `app-${apps}`)
  return fitbit.pull(name, tokens, RANGE)
}

const personally = (account: string) => {
  const calendar = new Calendar(personOf('fitbit', account))
  const until = fitbitUntil(calendar, NOW)
  const offset = (at: number) => offsetAt(zoneOf(calendar), at) / 1000
  const days = Array.from({ length: DAYS + 1 }, (_, position) => TODAY - DAYS + position)
  return { calendar, until, offset, days }
}

/** Ranges that follow each other bring the same days; the store keeps one sample of an instant. */
const samplesOf = (data: PageData, series: string) => {
  const samples = data.samples.filter((sample) => sample.series === series)
  const byInstant = new Map(samples.map((sample) => [sample.startedAt, sample]))
  return [...byInstant.values()]
    .map(({ startedAt, timezoneOffset, value }) => [startedAt, timezoneOffset, round(value)])
    .sort((a, b) => Number(a[0]) - Number(b[0]))
}
const round = (value: number): number => Math.round(value * 1e6) / 1e6

for (const account of ['anna', 'bob+travel']) {
  test(`the days and minutes of ${account} are those of the person`, async () => {
    const { calendar, until, offset, days } = personally(account)
    const data = await pull(account, 'activities')
    assert.deepEqual(data.quarantined, [])
    const seen = days.filter((day) => countedOn(calendar, day, until).calories > 0)
    const summaries = new Map(data.summaries.map((one) => [one.recordId, one]))
    for (const day of seen) {
      const summary = summaries.get(dateText(day))
      const counted = countedOn(calendar, day, until)
      const [sedentary, light, fair, very] = counted.minutes.map((minutes) => minutes * 60)
      const { from } = spanOfDay(calendar, day)
      assert.equal(summary?.timezoneOffset, offset(from))
      const { calories_total, steps, distance_meter, ...values } = summary.values as Record<
        string,
        number | null
      >
      assert.deepEqual(
        [calories_total, values.calories_active, steps, distance_meter, values.heart_rate_resting],
        [
          Math.round(counted.calories),
          Math.round(counted.activeCalories),
          counted.steps,
          Math.round(counted.meters / 10) * 10,
          restingRateOn(calendar, day),
        ],
      )
      assert.deepEqual(
        ['sedentary', 'low', 'medium', 'high'].map((name) => values[`intensity_${name}_second`]),
        [sedentary, light, fair, very],
      )
    }
    // The day before is requested too, for zones in which the range begins on it.
    assert.equal(summaries.size, seen.length + 1)
    for (const name of ['heart', 'steps', 'distance'] as const) {
      const minutes = await pull(account, name === 'distance' ? 'steps' : name)
      assert.deepEqual(minutes.quarantined, [])
      const rows = days
        .map((day) => rowsOn(calendar, name, day, until))
        .filter((day) => name === 'heart' || day.some(({ value }) => value > 0))
        .flat()
      const factor = name === 'distance' ? 1000 : 1
      const series = name === 'heart' ? 'heartrate' : name
      assert.ok(rows.length > 15_000)
      const first = rows[0]?.at ?? 0
      assertSameRows(
        samplesOf(minutes, series).filter(([at]) => Number(at) >= first),
        rows.map(({ at, value }) => [at, offset(at), round(value * factor)]),
      )
    }
  })

  test(`the nights of ${account} are those of the person`, async () => {
    const { calendar, until, offset, days } = personally(account)
    const data = await pull(account, 'sleep')
    assert.deepEqual(data.quarantined, [])
    const slept = days.flatMap((day) => sleepsOfDay(calendar, day, until))
    const stored = new Map(data.summaries.map((one) => [one.recordId, one]))
    for (const one of slept) {
      const summary = stored.get(String(one.logId))
      assert.deepEqual(
        [summary?.calendarDate, summary?.startedAt, summary?.endedAt, summary?.timezoneOffset],
        [dateText(one.day), one.from, one.to, offset(one.to)],
      )
      const levels = levelsOf(calendar, one)
      const seconds = secondsOf(levels)
      const values = summary?.values as Record<string, number | number[] | null>
      const types = values.stage_type as number[]
      const starts = values.stage_start_offset_second as number[]
      const ends = values.stage_end_offset_second as number[]
      const secondsIn = (stage: number) =>
        types.reduce(
          (sum, type, at) => sum + (type === stage ? Number(ends[at]) - Number(starts[at]) : 0),
          0,
        )
      const { deep, light, rem, awake } = seconds
      assert.deepEqual(
        [1, 2, 3, 4, -1].map(secondsIn),
        one.isMain ? [deep, light, rem, awake, 0] : [0, 0, 0, awake, deep + light + rem],
      )
      const night = measuredNight(calendar, one.day, until)
      const isMeasured = one.isMain && night !== undefined
      assert.equal(values.skin_temperature_delta, isMeasured ? skinOf(calendar, one) : null)
      assert.equal(values.respiratory_rate, isMeasured ? breathsOf(calendar, one).full : null)
    }
    assert.ok(slept.length > DAYS / 2 && slept.some(({ isEdited }) => isEdited))

    const nights = days.flatMap((day) => measuredNight(calendar, day, until) ?? [])
    const minutes = nights.flatMap((night) => nightMinutes(calendar, night))
    const inRange = (rows: unknown[][]) =>
      rows.filter(([at]) => Number(at) >= Number(minutes[0]?.at))
    assertSameRows(
      inRange(samplesOf(await pull(account, 'hrv'), 'hrv')),
      minutes.map(({ at, rmssd }) => [at, offset(at), rmssd]),
    )
    assertSameRows(
      inRange(samplesOf(await pull(account, 'spo2'), 'blood_oxygen')),
      minutes.map(({ at, oxygen }) => [at, offset(at), oxygen]),
    )
    const breaths = nights.flatMap((night) => {
      const { long, short } = levelsOf(calendar, night)
      const rates = breathsOf(calendar, night)
      return long.flatMap(({ stage, from, to }) => {
        const rate = stage === 'awake' ? -1 : rates[stage]
        const holes = short.filter((wake) => wake.from >= from && wake.from < to)
        const edges = [from, ...holes.flatMap((wake) => [wake.from, wake.to]), to]
        const parts = edges.flatMap((edge, at) =>
          at % 2 === 0 ? [[edge, Number(edges[at + 1])] as const] : [],
        )
        if (rate < 0) return []
        return parts.map(([begin, end]) => [(begin + end) / 2, offset((begin + end) / 2), rate])
      })
    })
    assertSameRows(inRange(samplesOf(await pull(account, 'br'), 'respiratory_rate')), breaths)
  })

  test(`what ${account} logged is what the person did`, async () => {
    const { calendar, until, offset, days } = personally(account)
    const body = await pull(account, 'body')
    const weighings = days.flatMap((day) => weighingsOn(calendar, day, until))
    const known = (rows: unknown[][]) =>
      rows.filter(([at]) => Number(at) >= Number(weighings[0]?.at))
    assert.deepEqual(
      known(samplesOf(body, 'body_weight')),
      weighings.map(({ at, kilograms }) => [at, offset(at), kilograms]),
    )
    assert.deepEqual(
      known(samplesOf(body, 'body_fat')),
      weighings.map(({ at, fat }) => [at, offset(at), fat]),
    )
    const foods = await pull(account, 'foods')
    assert.deepEqual(foods.quarantined, [])
    const meals = days.flatMap((day) => {
      const byType = new Map<number, number>()
      for (const { mealTypeId, carbs } of foodsOn(calendar, day, NOW)) {
        byType.set(mealTypeId, (byType.get(mealTypeId) ?? 0) + carbs)
      }
      return [...byType].map(([type, carbs]) => [`${dateText(day)}-${type}`, carbs])
    })
    assert.deepEqual(
      foods.summaries
        .map(({ recordId, values }) => [
          recordId,
          (values as { carbohydrate_gram: number }).carbohydrate_gram,
        ])
        .sort(),
      meals.sort(),
    )
    const waters = days.slice(0, -1).map((day) => waterOn(calendar, day))
    assert.deepEqual(
      samplesOf(foods, 'water')
        .map(([, , value]) => value)
        .slice(0, waters.filter(Boolean).length),
      waters.filter(Boolean),
    )
    const temperatures = days.flatMap((day) => temperaturesOn(calendar, day, until))
    const typed = samplesOf(await pull(account, 'temp_core'), 'body_temperature')
    assert.deepEqual(
      typed.slice(typed.length - temperatures.length),
      temperatures.map(({ at, celsius }) => [at, offset(at), celsius]),
    )
    const [low, high = low] = fitnessOf(calendar).split('-').map(Number)
    const scores = samplesOf(await pull(account, 'cardioscore'), 'vo2_max')
    assert.ok(scores.length > DAYS / 2)
    assert.ok(scores.every(([, , value]) => value === (Number(low) + Number(high)) / 2))
    const alerts = samplesOf(await pull(account, 'irn_alerts'), 'heart_rate_alert')
    const nights = days.flatMap((day) => measuredNight(calendar, day, until) ?? [])
    for (const night of nights.filter(({ day }) => isIrregular(calendar, day))) {
      assert.ok(alerts.some(([at]) => at === night.to))
    }
  })
}
