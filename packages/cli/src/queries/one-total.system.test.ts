import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { merged, past, query, Salus, series, sum } from '@salus/sdk'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { readArchive, readObjects } from '../../../server/test/queries/read-parquet.ts'
import {
  createSeededRandom,
  type SeededRandom,
} from '../../../server/test/queries/seeded-random.ts'
import { storePersonData } from '../../../server/test/queries/store-person-data.ts'
import {
  makePlainPerson,
  mergePlainly,
  PLAIN_SOURCES,
  type PlainPerson,
  type PlainSource,
} from '../../../server/test/timeseries/plain-merge.ts'
import { textOfExample } from '../../../web/src/console/queries/query-examples.ts'
import { type HarnessServer, startHarnessServer } from '../testing/harness-server.ts'
import { ask, type Json, withClient } from '../testing/mcp-client.ts'
import { startSalus } from '../testing/salus-command.ts'
import { makePresetQuery } from './query-preset.ts'

const DAYS = 7

let server: HarnessServer
let salus: Salus
before(async () => {
  server = await startHarnessServer()
  salus = new Salus({ baseUrl: server.url, apiKey: server.keys.api_key })
})
after(() => server.stop())

async function call(method: string, path: string, body?: object): Promise<Json> {
  const { status, body: answer, text } = await server.harness.call(method as 'GET', path, body)
  assert.equal(status, 200, text)
  return answer
}

/**
 * A counts by day, without days of nothing: whether those are there is not the same for every door.
 */
type Days = Record<string, number>

const toDays = (pairs: Iterable<readonly [unknown, unknown]>): Days => {
  const days: Days = {}
  for (const [time, value] of pairs) {
    const day = String(time).slice(0, 10)
    if (value) days[day] = (days[day] ?? 0) + Number(value)
  }
  return days
}

async function store({ zone, samples }: PlainPerson): Promise<string> {
  const { harness } = server
  const userId = await harness.makeUser()
  const { rows } = await harness.database.pool.query(
    'update users set fallback_time_zone = $2 where id = $1 returning environment_id',
    [userId, zone],
  )
  const stored = samples.map(({ from, to, value, offset, provider, sourceType }) => ({
    ...{ series: 'steps', startedAt: from * MINUTE_MS, endedAt: to * MINUTE_MS, value, provider },
    ...{ sourceType, timezoneOffset: offset, appId: '', sampleType: '', workoutId: '', sport: '' },
    ...{ timeZone: '', diastolic: 0, text: '', extra: '', version: 1 },
  }))
  const person = { environmentId: rows[0].environment_id as string, userId }
  await storePersonData(harness.clickhouse, person, { samples: stored, summaries: [] })
  return userId
}

/** Which sources come first, as a team or a person may have set it, and how a request sets it. */
interface Wishes {
  /** From the best to the last. */
  order: PlainSource[]
  overrides: string[]
}

const TYPES = ['watch', 'ring', 'phone', 'app']
const PROVIDERS = [...new Set(PLAIN_SOURCES.map(({ provider }) => provider))]

/** Puts priorities of the team and of the person, and works out the order that follows of them. */
async function wish(random: SeededRandom, userId: string): Promise<Wishes> {
  const priority = (): number => (random.chance(0.5) ? 0 : random.below(5) - 2)
  const ofTeam = new Map(PROVIDERS.map((provider) => [provider, priority()]))
  const ofSteps = new Map(PROVIDERS.map((provider) => [provider, priority()]))
  const wantedType = random.pick(TYPES)
  const ofType = new Map(PROVIDERS.map((provider) => [provider, priority()]))
  await call('PATCH', '/v2/team/source/priorities', [
    ...[...ofTeam].map(([slug, number]) => ({
      ...{ data_type: 'timeseries', slug, priority: number },
    })),
    ...[...ofSteps].map(([slug, number]) => ({
      ...{ data_type: 'timeseries', slug, resource: 'steps', priority: number },
    })),
  ])
  await call('PUT', `/v2/user/${userId}/source_priorities`, {
    source_priorities: [...ofType].map(([provider, number]) => ({
      ...{ resource: 'steps', provider, source_type: wantedType, app_id: null, priority: number },
    })),
  })
  const overrides = random.chance(0.5) ? [random.pick(PROVIDERS)] : []
  const levels = ({ provider, sourceType }: PlainSource): number[] => [
    (sourceType === wantedType && ofType.get(provider)) || 0,
    ofSteps.get(provider) ?? 0,
    ofTeam.get(provider) ?? 0,
    -TYPES.indexOf(sourceType),
  ]
  const compare = (a: PlainSource, b: PlainSource): number => {
    const [ofA, ofB] = [levels(a), levels(b)]
    const level = ofA.findIndex((value, at) => value !== ofB[at])
    if (level >= 0) return (ofB[level] as number) - (ofA[level] as number)
    return a.provider < b.provider ? -1 : 1
  }
  return { order: PLAIN_SOURCES.toSorted(compare), overrides }
}

interface Asked {
  userId: string
  firstDay: string
  anchor: string
}

const body = ({ anchor }: Asked, queries: object[], config?: object) => ({
  timeframe: { type: 'relative', anchor, past: { value: DAYS, unit: 'day' } },
  queries,
  ...(config && { config }),
})

const STEPS = { merged: 'steps', field: 'value' }
const every = (unit: string, value = 1) => ({
  date_trunc: { value, unit },
  arg: { index: 'merged' },
})
const sums = { func: 'sum', arg: STEPS }

/** Doors that answer a number for each day. */
const dailyDoors: Record<string, (asked: Asked) => Promise<Days>> = {
  'the merged read of days': (asked) => readMerged(asked, 'day'),
  'merged days of activity': async ({ userId, firstDay, anchor }) => {
    const path = `/v2/summary/activity/${userId}/merged?start_date=${firstDay}&end_date=${anchor}`
    const { activity } = await call('GET', path)
    return toDays(activity.map((day: Json) => [day.calendar_date, day.steps]))
  },
  'the command line': async (asked) => {
    const { table } = await askOne(asked, makePresetQuery('steps', 'day'))
    return toDays(table.index.map((day: string, at: number) => [day, table.sum[at]]))
  },
  'the console': async (asked) => {
    const { queries } = JSON.parse(textOfExample('steps-a-day', asked.anchor))
    const { table } = await askOne(asked, queries[0])
    const values = table['sum.steps.value']
    return toDays(table['group_key.0'].map((day: string, at: number) => [day, values[at]]))
  },
  'the SDK': async (asked) => {
    const steps = merged('steps')
    const daily = query({ select: [sum(steps.column('value'))], groupBy: [steps.every(1, 'day')] })
    const request = { timeframe: past(DAYS, 'day', asked.anchor), queries: [daily] }
    const { results } = await salus.request<Json>(
      'POST',
      `/aggregate/v1/user/${asked.userId}/query`,
      { body: request },
    )
    assert.equal(results[0].source_rule, 'merged')
    const { index, sum: values } = results[0].table
    return toDays(index.map((day: string, at: number) => [day, values[at]]))
  },
  'a query by quarters of an hour and source': async (asked) => {
    const { table } = await askOne(asked, {
      select: [{ group_key: '*' }, sums],
      group_by: [every('minute', 15), { source: 'source_provider' }, { source: 'source_type' }],
    })
    const values = table['sum.steps.value']
    return toDays(table['group_key.0'].map((day: string, at: number) => [day, values[at]]))
  },
  'a query of rows as they are': async (asked) => {
    const { table } = await askOne(asked, { select: [{ index: 'merged' }, STEPS] })
    const values = table['steps.value']
    return toDays(table.timestamp.map((time: string, at: number) => [time, values[at]]))
  },
  'a Parquet file': async (asked) => {
    const daily = { select: [sums], group_by: [every('day')] }
    const response = await fetch(`${server.url}/aggregate/v1/user/${asked.userId}/query`, {
      method: 'POST',
      headers: {
        'x-service-api-key': server.keys.api_key,
        'content-type': 'application/json',
        accept: 'application/vnd.service.tar+gzip+parquet',
      },
      body: JSON.stringify(body(asked, [daily])),
    })
    assert.equal(response.headers.get('x-source-rule'), 'merged')
    const { files } = await readArchive(response.body as unknown as AsyncIterable<Uint8Array>)
    const rows = await readObjects(files[0] as Buffer)
    return toDays(rows.map((row) => [(row.index as Date).toISOString(), row.sum]))
  },
}

async function readMerged({ userId, firstDay, anchor }: Asked, slot: string): Promise<Days> {
  const dates = `start_date=${firstDay}&end_date=${anchor}`
  const { data } = await call('GET', `/v2/timeseries/${userId}/steps/merged?${dates}&slot=${slot}`)
  return toDays(data.map((item: Json) => [item.calendar_date, item.value]))
}

async function askOne(asked: Asked, one: object, config?: object): Promise<Json> {
  const path = `/aggregate/v1/user/${asked.userId}/query`
  const { results } = await call('POST', path, body(asked, [one], config))
  assert.equal(results[0].source_rule, 'merged')
  return results[0]
}

/** Doors that answer one number for all days. */
const totalDoors: Record<string, (asked: Asked) => Promise<number>> = {
  // The person is in two zones within one hour, so that hour belongs to two days.
  'the merged read of hours': async (asked) =>
    addUp(Object.values(await readMerged(asked, 'hour'))),
  'a query without group_by': async (asked) =>
    (await askOne(asked, { select: [sums] })).table.sum[0],
  'a query without group_by, with where': async (asked) =>
    (await askOne(asked, { select: [sums], where: 'value > 0' })).table.sum[0],
  'a query by year': async (asked) =>
    addUp((await askOne(asked, { select: [sums], group_by: [every('year')] })).table.sum),
  'a query by weekday': async (asked) => {
    const weekdays = { date_part: 'weekday', arg: { index: 'merged' } }
    const { table } = await askOne(asked, { select: [sums], group_by: [weekdays] })
    return addUp(table.sum)
  },
}

const addUp = (values: Iterable<number | null>): number =>
  [...values].reduce<number>((total, value) => total + (value ?? 0), 0)

test('one total by every door, for random people, places and wishes', async () => {
  for (let seed = 0; seed < campaignRuns(3, 50); seed++) {
    const random = createSeededRandom(seed)
    const person = makePlainPerson(random)
    const userId = await store(person)
    const { order, overrides } = await wish(random, userId)
    const { firstDay, zone, samples } = person
    const lastDay = new Date(Date.parse(`${firstDay}T00:00:00Z`) + (DAYS - 1) * DAY_MS)
    const asked = { userId, firstDay, anchor: lastDay.toISOString().slice(0, 10) }
    const within = (days: Map<string, number>): Days =>
      toDays([...days].filter(([day]) => day >= firstDay && day <= asked.anchor).toSorted())
    const expected = within(mergePlainly(samples, order, zone))
    for (const [door, read] of Object.entries(dailyDoors)) {
      assert.deepEqual(sorted(await read(asked)), expected, `seed ${seed}: ${door}`)
    }
    const total = addUp(Object.values(expected))
    for (const [door, read] of Object.entries(totalDoors)) {
      assert.equal((await read(asked)) ?? 0, total, `seed ${seed}: ${door}`)
    }
    const preferred = order.toSorted(
      (a, b) => Number(overrides.includes(b.provider)) - Number(overrides.includes(a.provider)),
    )
    const daily = { select: [sums], group_by: [every('day')] }
    const config = { provider_priority_overrides: overrides }
    const { table } = await askOne(asked, daily, config)
    assert.deepEqual(
      toDays(table.index.map((day: string, at: number) => [day, table.sum[at]])),
      within(mergePlainly(samples, preferred, zone)),
      `seed ${seed}: overrides`,
    )
  }
})

const sorted = (days: Days): Days => Object.fromEntries(Object.entries(days).toSorted())

test('the command and the assistant answer that total too, and say how it was counted', async () => {
  const person = makePlainPerson(createSeededRandom(1))
  const userId = await store(person)
  const lastDay = new Date(Date.parse(`${person.firstDay}T00:00:00Z`) + (DAYS - 1) * DAY_MS)
  const asked = { userId, firstDay: person.firstDay, anchor: lastDay.toISOString().slice(0, 10) }
  const expected = await readMerged(asked, 'day')
  const command = ['query', '--user', userId, '--metric', 'steps', '--past', `${DAYS}d`]
  const { code, stdout, stderr } = await startSalus(
    [...command, '--anchor', asked.anchor, '--json'],
    { SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory },
  ).result
  assert.equal(code, 0, stderr)
  const [{ table, source_rule }] = JSON.parse(stdout).results
  assert.equal(source_rule, 'merged')
  assert.deepEqual(
    toDays(table.index.map((day: string, at: number) => [day, table.sum[at]])),
    expected,
  )
  const headers = { 'x-service-api-key': server.keys.api_key }
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers },
  })
  await withClient(transport, async (client) => {
    const { json } = await ask(client, 'query', {
      user_id: userId,
      last_day: asked.anchor,
      past: { value: DAYS, unit: 'day' },
      queries: [{ select: [sums] }, { select: [{ func: 'sum', arg: raw }] }],
    })
    assert.deepEqual(json.source_rules, ['merged', 'all_sources'])
    assert.equal(json.tables[0].sum[0], addUp(Object.values(expected)))
    assert.ok(json.tables[1].sum[0] > json.tables[0].sum[0])
  })
})

const raw = series('steps').column('value').json
