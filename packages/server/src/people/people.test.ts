import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { createHarness } from '../../test/harness.ts'
import { storeSummary } from '../../test/summaries/store-summary.ts'
import { useFixture } from '../../test/use-fixture.ts'
import { openEnvironment } from '../../test/webhooks/webhook-environment.ts'
import type { Glance, GlanceFigure, GlanceFigureName } from './glance.schema.ts'
import type { TimelineItem } from './timeline.schema.ts'

const salus = useFixture(createHarness)

/** The clock of the harness stands at noon of this day. */
const TODAY = '2026-03-01'
const dayAgo = (days: number): string =>
  new Date(Date.parse(TODAY) - days * DAY_MS).toISOString().slice(0, 10)

async function succeed(method: string, url: string, body?: unknown) {
  const answer = await salus.call(method, url, body)
  assert.ok(answer.status < 300, `${method} ${url}: ${answer.text}`)
  return answer.body
}

async function glanceOf(userId: string): Promise<Glance & Record<GlanceFigureName, GlanceFigure>> {
  const glance: Glance = await succeed('GET', `/v2/user/${userId}/glance`)
  const byName = Object.fromEntries(glance.figures.map((figure) => [figure.name, figure]))
  return { ...glance, ...(byName as Record<GlanceFigureName, GlanceFigure>) }
}

const brief = ({ value, date, mean, days }: GlanceFigure) => [value, date, mean, days]

const upload = (userId: string, provider: string, resource: string, data: object[]) =>
  succeed('POST', `/v2/timeseries/${userId}/${resource}`, { stage: 'daily', provider, data })

const steps = (date: string, value: number, hour = 8) => ({
  ...{ value, unit: 'count' },
  ...{ start_date: `${date}T0${hour}:00:00Z`, end_date: `${date}T0${hour}:10:00Z` },
})

/** A night of eight hours that ends at six on the date. */
const night = (date: string, provider: string, fields: object = {}) => {
  const end = Date.parse(`${date}T06:00:00Z`)
  return {
    ...{ provider, source_type: provider === 'oura' ? 'ring' : 'watch', type: 'long_sleep' },
    ...{ started_at: end - 8 * 3_600_000, ended_at: end, duration_second: 28_800 },
    ...fields,
  }
}

/** Adds a completed lab report with results of one day. */
async function addReport(userId: string, day: string, results: [string, number, string][]) {
  const { pool } = salus.database
  const { rows } = await pool.query(
    `insert into lab_report_jobs (environment_id, id, user_id, status, needs_human_review, files,
      delete_files_at, created_at, updated_at)
    select environment_id, $2, id, 'completed', false, '[]', now(), $3, $3 from users where id = $1
    returning environment_id, id`,
    [userId, randomUUID(), salus.clock.now()],
  )
  for (const [position, [code, number, interpretation]] of results.entries()) {
    await pool.query(
      `insert into lab_report_results (environment_id, job_id, position, user_id, loinc_code, name,
        value, unit, ucum_unit, number, low, high, interpretation, collected_on)
      values ($1, $2, $3, $4, $5, 'Read', $6::text, 'mg/dL', 'mg/dL', $6::float8, 70, 100, $7, $8)`,
      [rows[0].environment_id, rows[0].id, position, userId, code, number, interpretation, day],
    )
  }
}

describe('a glance', () => {
  test('says what is missing, and calls nothing zero', async () => {
    const glance = await glanceOf(await salus.makeUser())
    assert.deepEqual(
      glance.figures.map(({ name, value, mean, days, date }) => [name, value, mean, days, date]),
      [
        'steps',
        'sleep_duration',
        'resting_heart_rate',
        'heart_rate_variability',
        'glucose_in_range',
        'weight',
      ].map((name) => [name, null, null, 0, null]),
    )
    assert.deepEqual([glance.results, glance.date, glance.time_zone], [null, TODAY, null])
  })

  test('has the figures that summaries and queries return, with every source merged', async () => {
    const userId = await salus.makeUser('health_connect', 'samsung_health')
    await upload(userId, 'health_connect', 'steps', [
      ...[steps(dayAgo(0), 900), steps(dayAgo(1), 5000), steps(dayAgo(28), 7000)],
      steps(dayAgo(29), 90_000),
    ])
    // The same walk on another device.
    await upload(userId, 'samsung_health', 'steps', [
      steps(dayAgo(0), 880),
      steps(dayAgo(1), 10, 9),
    ])
    const fields = { stage_asleep_second: 25_200, stage_deep_second: 5000, heart_rate_resting: 52 }
    const rated = { ...fields, hrv_mean_rmssd: 48.5 }
    await storeSummary(salus, userId, 'sleep', night(dayAgo(0), 'garmin', rated))
    await storeSummary(
      salus,
      userId,
      'sleep',
      night(dayAgo(0), 'oura', { duration_second: 30_000 }),
    )
    await storeSummary(salus, userId, 'sleep', night(dayAgo(2), 'garmin', fields))
    const nap = { started_at: `${TODAY}T09:00:00Z`, ended_at: `${TODAY}T09:40:00Z` }
    await storeSummary(salus, userId, 'sleep', { ...nap, type: 'acknowledged_nap' })
    const day = { calendar_date: dayAgo(1), started_at: `${dayAgo(1)}T00:00:00Z` }
    await storeSummary(salus, userId, 'activity', { ...day, heart_rate_resting: 60 })

    const glance = await glanceOf(userId)
    const range = `start_date=${dayAgo(28)}&end_date=${TODAY}`
    const { activity } = await succeed('GET', `/v2/summary/activity/${userId}/merged?${range}`)
    const walked: number[] = activity.flatMap((one: { steps: number | null }) => one.steps ?? [])
    const newest = walked.at(-1)
    const before = walked.slice(0, -1)
    const mean = before.reduce((sum, value) => sum + value, 0) / before.length
    assert.deepEqual(brief(glance.steps), [newest, TODAY, mean, 2])
    assert.deepEqual([glance.steps.value, glance.steps.is_complete], [900, false])
    assert.equal(glance.steps.change, 900 - mean)

    const { sleep } = await succeed('GET', `/v2/summary/sleep/${userId}/merged?${range}`)
    const last = sleep.find(
      (one: { calendar_date: string; type: string }) =>
        one.calendar_date === TODAY && one.type === 'long_sleep',
    )
    const found = glance.sleep_duration
    assert.deepEqual(brief(found), [last.total, TODAY, 25_200, 1])
    assert.deepEqual([found.sources[0]?.provider, found.set_aside[0]?.provider], ['garmin', 'oura'])
    assert.deepEqual(
      [found.local_start, found.local_end],
      [`${dayAgo(1)}T22:00:00`, `${TODAY}T06:00:00`],
    )
    assert.deepEqual(brief(glance.heart_rate_variability), [last.average_hrv, TODAY, null, 0])
    // Yesterday has no night: that day's summary has the pulse.
    assert.deepEqual(brief(glance.resting_heart_rate), [52, TODAY, 56, 2])
  })

  test('has glucose in range, both bounds included, as a query counts it', async () => {
    const userId = await salus.makeUser('health_connect')
    const readings = [3.89, 3.9, 5, 10, 10.01].map((value, hour) => ({
      ...{ value, unit: 'mmol/L', start_date: `${TODAY}T0${hour}:00:00Z` },
    }))
    const high = { value: 12, unit: 'mmol/L', start_date: `${dayAgo(3)}T08:00:00Z` }
    await upload(userId, 'health_connect', 'glucose', [...readings, high])
    const { glucose_in_range: found } = await glanceOf(userId)
    assert.deepEqual(brief(found), [60, TODAY, 0, 1])
    assert.deepEqual([found.change, found.sources[0]?.provider], [60, 'health_connect'])
    const variability = [40, 50].map((value, hour) => ({
      ...{ value, unit: 'rmssd', start_date: `${TODAY}T0${hour}:00:00Z` },
    }))
    await upload(userId, 'health_connect', 'hrv', variability)
    // Without a night that has it.
    assert.deepEqual(brief((await glanceOf(userId)).heart_rate_variability), [45, TODAY, null, 0])
    const arg = { merged: 'glucose', field: 'value' }
    const count = { select: [{ func: 'count', arg }] }
    const timeframe = { type: 'relative', anchor: TODAY, past: { unit: 'day', value: 1 } }
    const queries = [{ ...count, where: 'value >= 3.9 AND value <= 10' }, count]
    const { results } = await succeed('POST', `/aggregate/v1/user/${userId}/query`, {
      ...{ timeframe, queries },
    })
    const [inRange, all] = results.map(
      ({ table }: { table: { count: number[] } }) => table.count[0],
    )
    assert.equal(found.value, (100 * inRange) / all)
  })

  test('counts days where the person is', async () => {
    const userId = await salus.makeUser('health_connect')
    await succeed('PATCH', `/v2/user/${userId}`, { fallback_time_zone: 'Pacific/Auckland' })
    // Noon of the first of March is the second there, and this walk was at eight in the evening.
    await upload(userId, 'health_connect', 'steps', [steps(TODAY, 300, 7)])
    const glance = await glanceOf(userId)
    assert.deepEqual([glance.date, glance.time_zone], ['2026-03-02', 'Pacific/Auckland'])
    const { value, date, is_complete } = glance.steps
    assert.deepEqual([value, date, is_complete], [300, TODAY, true])
  })

  test('shows an old weight with its day, and results of the newest day, the worst first', async () => {
    const userId = await salus.makeUser('health_connect')
    const weight = (days: number, value: number) => ({
      ...{ value, unit: 'kg', start_date: `${dayAgo(days)}T07:30:00Z` },
    })
    await upload(userId, 'health_connect', 'body_weight', [weight(80, 82), weight(70, 80.5)])
    await addReport(userId, dayAgo(9), [['2345-7', 90, 'normal']])
    await addReport(userId, dayAgo(5), [
      ['2345-7', 95, 'normal'],
      ['2085-9', 130, 'abnormal'],
      ['2951-2', 160, 'critical'],
    ])
    const glance = await glanceOf(userId)
    assert.deepEqual(brief(glance.weight), [80.5, dayAgo(70), 82, 1])
    assert.equal(glance.weight.local_end, `${dayAgo(70)}T07:30:00`)
    assert.ok(glance.results)
    const { date, count, abnormal, critical, results } = glance.results
    assert.deepEqual([date, count, abnormal, critical], [dayAgo(5), 3, 2, 1])
    assert.deepEqual(
      results.map(({ number }) => number),
      [160, 130, 95],
    )
    assert.match(results[2]?.loinc_component ?? '', /^Glucose/)
  })
})

describe('a timeline', () => {
  const list = (userId: string, body: object = {}): Promise<{ data: TimelineItem[] }> =>
    succeed('POST', `/v2/user/${userId}/timeline`, body)
  const keys = ({ data }: { data: TimelineItem[] }) => data.map(({ id }) => id)

  /** A person with items of both stores, of which several are of one millisecond. */
  async function makeBusyPerson(): Promise<string> {
    const userId = await salus.makeUser('health_connect', 'samsung_health')
    const environment = await openEnvironment(salus)
    const { id: webhookId } = await environment.makeWebhook()
    await succeed('POST', `/v2/user/${userId}/note`, { text: 'Calls 100%_back', name: 'Ines' })
    for (let count = 0; count < 3; count++) {
      const eventId = await environment.raise({ userId })
      await salus.database.pool.query(
        `insert into webhook_deliveries (environment_id, event_id, endpoint_id, sequence, user_id,
          status, attempts, updated_at)
        select environment_id, id, $2, sequence, user_id, 'failed', 3, created_at
        from events where id = $1`,
        [eventId, webhookId],
      )
    }
    salus.clock.advance(60)
    await upload(userId, 'health_connect', 'steps', [steps(dayAgo(1), 10)])
    await addReport(userId, dayAgo(1), [['2345-7', 90, 'normal']])
    return userId
  }

  test('has everything once, in pages of any size', async () => {
    const userId = await makeBusyPerson()
    const all = await list(userId, { limit: 200 })
    const kinds = new Set(all.data.map(({ kind }) => kind))
    for (const kind of ['connection', 'note', 'webhook_failure', 'sync', 'lab_report'] as const) {
      assert.ok(kinds.has(kind), kind)
    }
    assert.equal(new Set(keys(all)).size, all.data.length)
    const times = all.data.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted().reverse())
    for (const limit of [1, 2, 3, 5]) {
      const found: string[] = []
      for (let cursor: string | null = null; ; ) {
        const page: { data: TimelineItem[]; next_cursor: string | null } = await succeed(
          ...(['POST', `/v2/user/${userId}/timeline`, { limit, next_cursor: cursor }] as const),
        )
        found.push(...keys(page))
        if (page.next_cursor === null) break
        cursor = page.next_cursor
      }
      assert.deepEqual(found, keys(all), `pages of ${limit}`)
    }
  })

  test('is searched by words in any order, and narrowed to kinds and days', async () => {
    const userId = await makeBusyPerson()
    const titles = async (body: object) =>
      (await list(userId, body)).data.map(({ kind, person }) => [kind, person])
    assert.deepEqual(await titles({ query: 'BACK ines' }), [['note', 'Ines']])
    assert.deepEqual(await titles({ query: '100%_b' }), [['note', 'Ines']])
    assert.deepEqual(await titles({ query: '100__b' }), [], 'wildcards stand for themselves')
    assert.equal((await titles({ query: 'heartrate' })).length, 0)
    assert.equal((await titles({ query: 'steps webhook' })).length, 3)
    assert.deepEqual(
      new Set((await titles({ kinds: ['connection'] })).map(([kind]) => kind)),
      new Set(['connection']),
    )
    assert.deepEqual(await titles({ end_date: '2020-01-01' }), [])
    assert.ok((await titles({ start_date: TODAY })).length > 5)
  })

  test('refuses what it does not know', async () => {
    const userId = await salus.makeUser()
    const refused = async (body: object) =>
      (await salus.call('POST', `/v2/user/${userId}/timeline`, body)).status
    assert.equal(await refused({ kinds: ['weather'] }), 422)
    assert.equal(await refused({ kinds: [] }), 422)
    assert.equal(await refused({ limit: 201 }), 422)
    assert.equal(await refused({ next_cursor: 'forged' }), 400)
    assert.equal(await refused({ start_date: '2026-02-02', end_date: '2026-02-01' }), 400)
  })
})
