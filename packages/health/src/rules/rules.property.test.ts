import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import {
  createSeededRandom,
  type SeededRandom,
} from '../../../server/test/queries/seeded-random.ts'
import { createRulesFixture, type Reading } from '../../../server/test/rules/rules-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { RULE_FUNCTIONS } from './rules.schema.ts'

const fixture = useFixture(createRulesFixture)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS = 5

/** Periods of queries by the windows of rules with one step. */
const WINDOWS = [
  { value: 5, unit: 'minute' },
  { value: 15, unit: 'minute' },
  { value: 1, unit: 'hour' },
  { value: 1, unit: 'day' },
]
const SERIES = { glucose: 60, heartrate: 40, steps: 20 } as const

/** Readings of a person of two sources, at random times of the last days. */
function randomReadings(random: SeededRandom): [string, Reading[]][] {
  return Object.entries(SERIES).map(([series, most]) => {
    const times = new Set(Array.from({ length: most }, () => random.below(DAYS * 24 * 60)))
    const readings = [...times].map((minutes): Reading => {
      const type = random.chance(0.5) ? 'watch' : 'phone'
      const value = 50 + random.below(150)
      return [fixture.ago(minutes / 60), value, { type, source_bundle: `com.example.${type}` }]
    })
    return [series, readings]
  })
}

test('a rule has the values of a query, by steps and over windows of several', async () => {
  let compared = 0
  for (let seed = 1; seed <= campaignRuns(1, 100); seed += 1) {
    const random = createSeededRandom(seed)
    const zone = ['America/New_York', 'Asia/Kolkata', undefined][seed % 3]
    const userId = await fixture.person(zone)
    for (const [series, readings] of randomReadings(random)) {
      await fixture.upload(userId, series, readings)
    }
    for (const func of RULE_FUNCTIONS) {
      for (const series of Object.keys(SERIES)) {
        for (const window of WINDOWS) compared += await compareSteps(userId, series, func, window)
        compared += await compareWindows(userId, series, func, 1 + random.below(4))
      }
    }
  }
  assert.ok(compared > 500, `${compared} values were compared`)
})

interface StepValue {
  start: string
  value: number
}

/** The values of a rule in the unit of the series. */
async function stepsOf(userId: string, series: string, func: string, window: object) {
  const value = { func, arg: { merged: series, field: 'value' } }
  const condition = { type: 'threshold', value, window, comparison: '>', threshold: 12 }
  const body = { condition, days: DAYS + 2, user_id: userId }
  const answer = await fixture.call('POST', '/v3/rule/preview', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.steps as StepValue[]
}

/** The values of a query with buckets of the window. */
async function queryBuckets(userId: string, series: string, func: string, period: object) {
  const query = {
    select: [{ group_key: 0 }, { func, arg: { merged: series, field: 'value' } }],
    group_by: [{ date_trunc: period, arg: { index: 'merged' } }],
  }
  const anchor = new Date(fixture.ago(-24)).toISOString().slice(0, 10)
  const timeframe = { type: 'relative', anchor, past: { unit: 'day', value: DAYS + 6 } }
  const url = `/aggregate/v1/user/${userId}/query`
  const answer = await fixture.call('POST', url, { timeframe, queries: [query] })
  assert.equal(answer.status, 200, answer.text)
  const [starts = [], values = []] = Object.values(answer.body.results[0].table) as [
    string[],
    number[],
  ]
  return starts.map((start, at) => ({ start, value: values[at] as number }))
}

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= Math.abs(b) * 1e-5

async function compareSteps(userId: string, series: string, func: string, window: object) {
  const [ofRule, ofQuery] = await Promise.all([
    stepsOf(userId, series, func, window),
    queryBuckets(userId, series, func, window),
  ])
  assert.deepEqual(
    ofRule.map(({ start }) => start),
    ofQuery.map(({ start }) => start),
  )
  for (const [at, { start, value }] of ofQuery.entries()) {
    const found = ofRule[at]?.value as number
    assert.ok(isClose(found, value), `${func} of ${series} at ${start}: ${found}, not ${value}`)
  }
  return ofQuery.length
}

/** A window of several days has the value of a query whose bucket is those days. */
async function compareWindows(userId: string, series: string, func: string, days: number) {
  const ofRule = await stepsOf(userId, series, func, { value: days, unit: 'day' })
  const ofQuery = await queryBuckets(userId, series, func, { value: days, unit: 'day' })
  let compared = 0
  for (const { start, value } of ofQuery) {
    const last = new Date(Date.parse(`${start}Z`) + (days - 1) * DAY_MS).toISOString().slice(0, 19)
    const found = ofRule.find((step) => step.start === last)?.value
    // A day without a reading is not judged.
    if (found === undefined) continue
    assert.ok(isClose(found, value), `${func} of ${days} days of ${series}: ${found}, not ${value}`)
    compared += 1
  }
  return compared
}
