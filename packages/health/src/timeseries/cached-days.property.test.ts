import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSeries, type Series } from '@salus/contracts/series'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { createScope, type Environment, type Scope } from '@salus/kernel/scope'
import fc from 'fast-check'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { readDays } from '../day-cache/index.ts'
import type { Sample } from '../ingest/index.ts'
import { flatOfDays, pageOfDays } from './day-page.ts'
import type { SampleGroup, SamplePage, SamplePosition } from './sample-page.ts'
import { readFlatSamples, readGroupedSamples, type SampleFilter } from './timeseries.repository.ts'

const salus = useFixture(createHarness)

const DAY_START = Date.parse('2026-02-10T00:00:00Z')
const SERIES = ['steps', 'heartrate', 'note', 'blood_pressure', 'hrv', 'glucose'] as const
const PROVIDERS = ['manual', 'apple_health_kit'] as const
const WORKOUTS = [
  '',
  '0197aaaa-0000-7000-8000-000000000001',
  'f197aaaa-0000-7000-8000-000000000000',
  '0197aaaa-0000-7000-9000-000000000000',
]

/** Few keys, so that samples meet often. */
const anySample = fc
  .record({
    series: fc.constantFrom(...SERIES),
    minute: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 3 * 24 * 60 })),
    millisecond: fc.constantFrom(0, 0, 0, 1, 999),
    length: fc.constantFrom(0, 0, 1, 90),
    sourceType: fc.constantFrom('watch', 'phone', 'unknown'),
    appId: fc.constantFrom('', 'com.example', "o'neil \\\t\u{1f600}", 'ü'),
    sampleType: fc.constantFrom('', 'automatic'),
    workoutId: fc.constantFrom(...WORKOUTS),
    sport: fc.constantFrom('', '', 'running'),
    value: fc.oneof(fc.nat({ max: 3 }), fc.double({ min: 0, max: 1e25, noNaN: true })),
    diastolic: fc.nat({ max: 90 }),
    text: fc.constantFrom('', "it's", 'a\n"b"\u{1f600}'),
    timezoneOffset: fc.constantFrom(null, 0, 3600),
    extra: fc.constantFrom('', '{"tags":["food"]}', '{"method":"sdnn"}'),
    modifiedAt: fc.constantFrom(null, null, DAY_START, DAY_START + HOUR_MS),
  })
  .map(({ minute, millisecond, length, value, ...parts }): Sample => {
    const startedAt = DAY_START + minute * MINUTE_MS + millisecond
    return plainSample({
      ...{ ...parts, startedAt, endedAt: startedAt + length * MINUTE_MS, value: value + 0 },
    })
  })

/** A period of up to three days, in minutes. */
const anyPeriod = fc
  .tuple(fc.nat({ max: 3 * 24 * 60 }), fc.nat({ max: 2 * 24 * 60 }))
  .map(([from, length]) => ({ from: DAY_START + from * MINUTE_MS, length: length * MINUTE_MS }))

const anyStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      write: fc.array(anySample, { maxLength: 6 }),
      provider: fc.constantFrom(...PROVIDERS),
    }),
  },
  { weight: 3, arbitrary: fc.record({ read: anyPeriod, series: fc.constantFrom(...SERIES) }) },
  {
    weight: 1,
    arbitrary: fc.record({ remove: fc.nat({ max: 4 * 60 }), series: fc.constantFrom(...SERIES) }),
  },
)
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

interface Person {
  userId: string
  scope: Scope
  environmentId: string
}

async function makePerson(): Promise<Person> {
  const userId = await salus.makeUser(...PROVIDERS)
  const { rows } = await salus.database.pool.query(
    'select environment_id from users where id = $1',
    [userId],
  )
  const environmentId: string = rows[0].environment_id
  const { db, clickhouse, clock, log } = salus.dependencies
  const environment = { id: environmentId } as Environment
  return { userId, environmentId, scope: createScope({ db, clickhouse, clock, log }, environment) }
}

const filterOf = (person: Person, name: string, from: number, to: number): SampleFilter => ({
  ...{ userId: person.userId, series: findSeries(name) as Series, from, to },
  ...{ provider: '', sampleType: '', devices: new Map() },
})

const groupsOf = (groups: readonly SampleGroup[]) =>
  groups.map(({ data, ...source }) => ({
    ...source,
    data: JSON.parse(
      `[${data
        .map(String)
        .filter((text) => text !== '')
        .join(',')}]`,
    ),
  }))

/** How many reads were answered from days, and how many by ClickHouse. */
const counts = { days: 0, clickhouse: 0 }

/** Reads through the cache; undefined where it leaves the answer to ClickHouse. */
async function readCopies(scope: Scope, filter: SampleFilter) {
  const { series } = filter
  const found = await readDays(scope, { ...filter, series: [series] }, { isVersioned: false })
  assert.ok(found)
  return found.samples.get(series)
}

/** Reads through the cache, and compares whatever it answers with ClickHouse. */
async function compare(person: Person, filter: SampleFilter, pageSize: number): Promise<void> {
  const { scope } = person
  const samples = await readCopies(scope, filter)
  if (samples === undefined) {
    counts.clickhouse += 1
    return
  }
  counts.days += 1
  const flat = await readFlatSamples(scope, filter, 100_000)
  assert.deepEqual(JSON.parse(`[${flatOfDays(samples, filter, 100_000)}]`), JSON.parse(`[${flat}]`))
  const [expected, actual] = await Promise.all([
    readPages((after) => readGroupedSamples(scope, filter, after, pageSize)),
    readPages(async (after) => pageOfDays(samples, filter, after, pageSize)),
  ])
  assert.deepEqual(actual, expected)
}

/** Reads all pages, and joins those of ClickHouse, which counts replaced versions too. */
async function readPages(read: (after: SamplePosition | null) => Promise<SamplePage>) {
  const groups = new Map<string, unknown[]>()
  let after: SamplePosition | null = null
  do {
    const page: SamplePage = await read(after)
    for (const { data, ...source } of groupsOf(page.groups)) {
      const key = JSON.stringify(source)
      groups.set(key, [...(groups.get(key) ?? []), ...data])
    }
    after = page.last
  } while (after !== null)
  return [...groups]
}

async function take(person: Person, step: Step): Promise<void> {
  const { environmentId, userId } = person
  if ('write' in step) {
    await salus.writer.write({ environmentId, userId, provider: step.provider }, step.write)
  } else if ('read' in step) {
    const { from, length } = step.read
    await compare(person, filterOf(person, step.series, from, from + length), 3)
  } else {
    const owner = { environmentId, userId, provider: 'manual' }
    const key = { series: step.series, sourceType: 'watch', appId: '', sampleType: '' }
    await salus.ingest.removeSamples(owner, key, [DAY_START + step.remove * MINUTE_MS])
  }
}

/** Reads several series at once, as a stream does, and compares them with ClickHouse. */
async function compareTogether(person: Person): Promise<void> {
  const { scope } = person
  const filter = filterOf(person, '', DAY_START, DAY_START + DAY_MS)
  const series = SERIES.map((name) => findSeries(name) as Series)
  const found = await readDays(scope, { ...filter, series }, { isVersioned: true })
  assert.ok(found)
  for (const [one, samples] of found.samples) {
    const ofOne = { ...filter, series: one }
    const flat = await readFlatSamples(scope, ofOne, 100_000)
    assert.deepEqual(
      JSON.parse(`[${flatOfDays(samples, ofOne, 100_000)}]`),
      JSON.parse(`[${flat}]`),
    )
  }
  assert.equal(found.samples.size, SERIES.length)
}

/** Every series of every day, read until the copies are used. */
async function compareAll(person: Person): Promise<void> {
  for (const series of SERIES) {
    const filter = filterOf(person, series, DAY_START, DAY_START + 5 * DAY_MS)
    for (let time = 0; time < 2; time++) await compare(person, filter, 4)
    const narrow = { ...filter, provider: 'manual', sampleType: 'automatic' }
    await compare(person, narrow, 2)
  }
  await compareTogether(person)
}

const RUNS = { seed: 29, numRuns: campaignRuns(4, 150) }

test('days answer as ClickHouse does, after writes, repetitions and removals in any order', async () => {
  const steps = fc.array(anyStep, { minLength: 4, maxLength: 14 })
  const property = fc.asyncProperty(steps, async (list) => {
    const person = await makePerson()
    await compareAll(person)
    for (const step of list) await take(person, step)
    await compareAll(person)
  })
  await fc.assert(property, RUNS)
  assert.ok(counts.days > counts.clickhouse / 2, JSON.stringify(counts))
})

test('writes and reads at the same time leave days that answer as ClickHouse does', async () => {
  const steps = fc.array(anyStep, { minLength: 6, maxLength: 20 })
  const property = fc.asyncProperty(steps, async (list) => {
    const person = await makePerson()
    const { scope } = person
    await Promise.all(
      list.map(async (step) => {
        if (!('read' in step)) return take(person, step)
        // What it answers is being changed.
        const { from, length } = step.read
        for (let time = 0; time < 4; time++) {
          await readCopies(scope, filterOf(person, step.series, from, from + length))
        }
      }),
    )
    await compareAll(person)
  })
  await fc.assert(property, RUNS)
})
