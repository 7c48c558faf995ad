import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { mapSleep } from '../../../connectors/fitbit/sleep.mapper.ts'
import { PageData, toPayloadLines } from '../../../connectors/index.ts'

const BERLIN = 'Europe/Berlin'
const GLOBAL = 'Takeout/Fitbit/Global Export Data/'
const NEW = 'Takeout/Google Health/'

const two = (value: number) => String(value).padStart(2, '0')
/** `05/01/23 05:00:16` of an instant in UTC. */
function short(at: number): string {
  const date = new Date(at)
  const day = `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${two(date.getUTCFullYear() % 100)}`
  return `${day} ${date.toISOString().slice(11, 19)}`
}
const listOf = (rows: readonly (readonly [number, unknown])[]) =>
  JSON.stringify(rows.map(([at, value]) => ({ dateTime: short(at), value })))
const reasonsOf = (lines: readonly Readonly<Record<string, unknown>>[]) =>
  lines.flatMap(({ refused }) => refused ?? [])
const values = (line: Readonly<Record<string, unknown>> | undefined) =>
  (line?.values ?? {}) as Record<string, unknown>

const NIGHT = {
  ...{ logId: 4001, dateOfSleep: '2023-03-26', startTime: '2023-03-26T01:00:00.000' },
  ...{ endTime: '2023-03-26T07:00:00.000', duration: 18_000_000, minutesAsleep: 290 },
  ...{ minutesAwake: 10, minutesToFallAsleep: 0, type: 'stages', mainSleep: true },
  levels: {
    summary: { deep: { minutes: 60 }, light: { minutes: 200 }, rem: { minutes: 30 } },
    data: [
      { dateTime: '2023-03-26T01:00:00.000', level: 'light', seconds: 9000 },
      { dateTime: '2023-03-26T04:30:00.000', level: 'deep', seconds: 9000 },
    ],
    shortData: [{ dateTime: '2023-03-26T01:10:00.000', level: 'wake', seconds: 120 }],
  },
}

describe('lists of a Takeout', () => {
  test('have steps and heart rates in UTC, days of the person, also when clocks change', async () => {
    // From the evening before to the morning after both changes of the clock in Berlin.
    const starts = [Date.UTC(2023, 2, 25, 20), Date.UTC(2023, 9, 28, 20)]
    const minutes = starts.flatMap((start) =>
      Array.from({ length: 1500 }, (_, index) => start + index * 60_000),
    )
    const rows = minutes.map((at, index) => [at, String(index % 7)] as const)
    const { of } = await mapContent(
      { [`${GLOBAL}steps-2023-03-25.json`]: listOf(rows) },
      { time_zone: BERLIN },
    )
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: BERLIN, dateStyle: 'short' })
    const sums = new Map<string, number>()
    for (const [at, value] of rows) {
      const day = format.format(at)
      sums.set(day, (sums.get(day) ?? 0) + Number(value))
    }
    assert.equal(sums.size, 4)
    assert.deepEqual(
      new Map(of('activity').map((line) => [line.calendar_date, values(line).steps])),
      sums,
    )
    const steps = of('steps')
    assert.equal(steps.length, rows.length)
    const offsets = new Set(steps.map(({ timezone_offset: offset }) => offset))
    assert.deepEqual(offsets, new Set([3600, 7200]))
    const change = steps.find(({ start }) => start === '2023-03-26T01:00:00+00:00')
    assert.equal(change?.timezone_offset, 7200)
  })

  test('have distances in centimeters, and rates with their confidence', async () => {
    const at = Date.UTC(2023, 4, 1, 8)
    const { mapped, of } = await mapContent({
      [`${GLOBAL}distance-2023-05-01.json`]: listOf([[at, '8050']]),
      [`${GLOBAL}heart_rate-2023-05-01.json`]: listOf([
        [at, { bpm: 60, confidence: 3 }],
        [at + 5000, { bpm: 70, confidence: 0 }],
        [at + 9000, { bpm: 500, confidence: 2 }],
      ]),
    })
    assert.deepEqual(
      of('distance').map(({ value, unit }) => [value, unit]),
      [[80.5, 'm']],
    )
    assert.deepEqual(
      of('heartrate').flatMap(({ value }) => value ?? []),
      [60],
    )
    assert.deepEqual(reasonsOf(of('heartrate')), ['out_of_range'])
    assert.equal(mapped.progress.types.find(({ type }) => type === 'heart_rate')?.not_supported, 1)
  })

  test('never make active calories of those that include rest, and drop days to come', async () => {
    const day = (date: string, value: string) => ({ dateTime: `${date} 00:00:00`, value })
    const { of } = await mapContent(
      {
        [`${GLOBAL}calories-2023-05-01.json`]: JSON.stringify([
          day('05/01/23', '1.1'),
          { dateTime: '05/01/23 00:01:00', value: '1.2' },
        ]),
        [`${GLOBAL}very_active_minutes-2023-05-01.json`]: JSON.stringify([
          day('05/01/23', '12'),
          day('05/02/23', '0'),
        ]),
        [`${GLOBAL}sedentary_minutes-2023-05-01.json`]: JSON.stringify([
          day('05/01/23', '800'),
          day('01/01/27', '1440'),
        ]),
        [`${GLOBAL}resting_heart_rate-2023-05-01.json`]: JSON.stringify([
          { dateTime: '05/01/23 00:00:00', value: { date: '05/01/23', value: 52.4, error: 6.8 } },
          { dateTime: '05/02/23 00:00:00', value: { date: null, value: 0.0, error: 0.0 } },
        ]),
      },
      { time_zone: BERLIN },
    )
    assert.deepEqual(of('calories_active'), [])
    assert.deepEqual(
      of('activity').map((line) => [line.id, values(line)]),
      [
        [
          '2023-05-01',
          {
            ...{ calories_total: 2.3, intensity_sedentary_second: 48_000 },
            ...{ intensity_high_second: 720, heart_rate_resting: 52.4 },
          },
        ],
      ],
    )
  })

  test('have the sleeps of the interface, through the change of the clock', async () => {
    const { of } = await mapContent(
      { [`${GLOBAL}sleep-2023-03-26.json`]: JSON.stringify([NIGHT]) },
      { time_zone: BERLIN },
    )
    const [sleep] = of('sleep')
    // 1:00 is in winter time and 7:00 in summer time: five hours.
    assert.deepEqual(
      [sleep?.id, sleep?.start, sleep?.end, sleep?.calendar_date, values(sleep).duration_second],
      ['4001', '2023-03-26T00:00:00+00:00', '2023-03-26T05:00:00+00:00', '2023-03-26', 18_000],
    )
    assert.deepEqual(sleep?.stages, [
      ['light', 0, 600],
      ['awake', 600, 720],
      ['light', 720, 9000],
      ['deep', 9000, 18_000],
    ])
    const owner = { userId: '00000000-0000-4000-8000-000000000000', provider: 'fitbit' }
    const data = new PageData(owner)
    const { mainSleep, ...record } = NIGHT
    const profile = { user: { timezone: BERLIN } }
    mapSleep({ sleep: [{ ...record, isMainSleep: mainSleep }] }, data, [profile])
    const [ofInterface] = toPayloadLines(data.toArrivedData(), [], owner)
    const { modified_at: _, ...ofList } = sleep ?? {}
    assert.deepEqual(ofList, ofInterface)
  })

  test('have weights whose unit the body mass index shows', async () => {
    const weight = (logId: number, change: object) => ({
      ...{ logId, weight: 154.3, bmi: 22.6, date: '05/01/23', time: '07:00:00', source: 'Aria' },
      ...change,
    })
    const map = (rows: object[], options = {}) =>
      mapContent(
        { [`${GLOBAL}weight-2023-05-01.json`]: JSON.stringify(rows) },
        { time_zone: BERLIN, ...options },
      )
    const pounds = await map([weight(1, {})])
    assert.deepEqual(
      pounds.of('body_weight').map(({ value, start }) => [value, start]),
      [[69.989303, '2023-05-01T05:00:00+00:00']],
    )
    assert.deepEqual([pounds.of('body')[0]?.id, pounds.of('body')[0]?.source_type], ['1', 'scale'])
    const kilograms = await map([weight(1, { weight: 70 })])
    assert.deepEqual(
      kilograms.of('body_weight').map(({ value }) => value),
      [70],
    )
    const unknown = await map([weight(1, { bmi: 0 })])
    assert.deepEqual(
      unknown.mapped.questions.map(({ option }) => option),
      ['weight_unit'],
    )
    const said = await map([weight(1, { bmi: 0 })], { weight_unit: 'st' })
    assert.deepEqual(reasonsOf(said.of('body')), ['out_of_range'])
  })

  test('have exercises in UTC with the ids of the interface', async () => {
    const exercise = {
      ...{ logId: 77, activityName: 'Run', calories: 300, steps: 5000, distance: 3.1 },
      ...{ distanceUnit: 'Mile', duration: 1_800_000, activeDuration: 1_700_000 },
      ...{ averageHeartRate: 150, startTime: '07/01/23 16:00:00', logType: 'tracker' },
    }
    const { of } = await mapContent(
      { [`${GLOBAL}exercise-0.json`]: JSON.stringify([exercise]) },
      { time_zone: BERLIN },
    )
    const [workout] = of('workouts')
    assert.deepEqual(
      [workout?.id, workout?.start, workout?.end, workout?.timezone_offset],
      ['77', '2023-07-01T16:00:00+00:00', '2023-07-01T16:30:00+00:00', 7200],
    )
    assert.equal(values(workout).distance_meter, 3.1 * 1609.344)
  })

  test('need a zone only for local times', async () => {
    const asked = await mapContent({ [`${GLOBAL}sleep-2023-03-26.json`]: JSON.stringify([NIGHT]) })
    assert.deepEqual(
      asked.mapped.questions.map(({ option }) => option),
      ['time_zone'],
    )
    const none = await mapContent({ [`${GLOBAL}steps-1.json`]: listOf([[Date.UTC(2023, 1), '5']]) })
    assert.deepEqual([none.mapped.questions, none.of('steps')[0]?.timezone_offset], [[], null])
    const floating = await mapContent(
      { [`${GLOBAL}sleep-2023-03-26.json`]: JSON.stringify([NIGHT]) },
      { time_zone: 'floating' },
    )
    assert.equal(floating.of('sleep')[0]?.start, '2023-03-26T01:00:00+00:00')
  })
})

describe('single files', () => {
  test('are recognized where their content is unmistakable', async () => {
    const rates = listOf([[Date.UTC(2023, 4, 1), { bpm: 60, confidence: 3 }]])
    assert.equal((await mapContent(rates)).of('heartrate').length, 1)
    const sleep = await mapContent(JSON.stringify([NIGHT]), { time_zone: BERLIN })
    assert.equal(sleep.of('sleep')[0]?.id, '4001')
    const csv = 'timestamp,steps,data source\n2026-09-01T06:00:00Z,40,Fitbit Air\n'
    assert.equal((await mapContent(csv)).mapped.format, 'fitbit_takeout')
  })

  test('are refused with a reason where only their name says what they have', async () => {
    const steps = listOf([[Date.UTC(2023, 4, 1), '5']])
    await assert.rejects(mapContent(steps), { code: 'unknown_format', message: /Upload the zip/ })
  })

  test('of several persons are refused', async () => {
    for (const head of [
      'Id,ActivityDate,TotalSteps',
      'Id,ActivityHour,Calories',
      'Id,Time,Value',
    ]) {
      const table = `${head}\n1503960366,4/12/2016,13162\n`
      await assert.rejects(mapContent(table), { code: 'unknown_format', message: /of one/ })
      await assert.rejects(mapContent({ 'x_merged.csv': table }), { code: 'unknown_format' })
    }
  })

  test('of columns that any program may have are none of Fitbit', async () => {
    for (const head of ['timestamp,value', 'Id,Date,Weight', 'Id,Time,Note']) {
      const recognized = await mapContent(`${head}\n1,2\n`).then(
        ({ mapped }) => mapped.format,
        (error: { code?: string }) => error.code,
      )
      assert.notEqual(recognized, 'fitbit_takeout', head)
    }
  })

  test('that are damaged or empty are refused or empty', async () => {
    const name = `${GLOBAL}steps-2023-05-01.json`
    await assert.rejects(mapContent({ [name]: '[{"dateTime": "05/0' }), { code: 'malformed_json' })
    assert.deepEqual((await mapContent({ [name]: '[]' })).lines, [])
    const wrong = JSON.stringify([
      { dateTime: '13/45/23 00:00:00', value: '5' },
      { dateTime: '05/01/23 00:00:00', value: '=1+1' },
      { dateTime: '05/01/99 00:00:00', value: '5' },
      null,
    ])
    const { of } = await mapContent({ [name]: wrong })
    assert.deepEqual(reasonsOf(of('steps')), [
      ...['invalid_start_date', 'invalid_value', 'invalid_start_date', 'not_an_object'],
    ])
  })
})

test('the same lines come in any order of files', async () => {
  const files = {
    [`${GLOBAL}steps-2023-05-01.json`]: listOf([[Date.UTC(2023, 4, 1, 8), '5']]),
    [`${GLOBAL}steps-2023-05-02.json`]: listOf([[Date.UTC(2023, 4, 2, 8), '6']]),
    [`${NEW}steps_2023-05-01.csv`]: 'timestamp,steps,data source\n2023-05-03T06:00:00Z,40,Air\n',
  }
  const first = await mapContent(files, { time_zone: BERLIN })
  const reversed = Object.fromEntries(Object.entries(files).toReversed())
  assert.deepEqual((await mapContent(reversed, { time_zone: BERLIN })).lines, first.lines)
})
