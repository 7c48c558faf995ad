import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import { createHarness, type Harness } from '../../../../server/test/harness.ts'
import {
  createSummaryFixture,
  createTestIngest,
  type SummaryFixture,
} from '../../../../server/test/ingest-fixture.ts'
import { plainSummary } from '../../../../server/test/summaries/plain-summary.ts'
import type { Ingest } from '../../ingest/index.ts'
import type { NewSummary } from '../summary.ts'
import { summaryId } from '../summary-id.ts'
import { SUMMARY_RESOURCES } from '../summary-tables.registry.ts'
import { listStoredSummaries } from './stored-summaries.repository.ts'
import { toStoredSummary } from './stored-summary.ts'

let salus: Harness
let ingest: Ingest
let writer: SummaryFixture
before(async () => {
  salus = await createHarness()
  ingest = createTestIngest(salus.dependencies)
  writer = createSummaryFixture(ingest, salus.dependencies)
})
after(async () => {
  await ingest.idle()
  await salus.close()
})

const newOwner = () => ({
  environmentId: randomUUID(),
  userId: randomUUID(),
  provider: 'health_connect',
})
type Owner = ReturnType<typeof newOwner>

const counts = (inserted: number, updated: number, unchanged: number) => ({
  inserted,
  updated,
  unchanged,
})

const read = (owner: Owner, ...summaries: NewSummary[]) => {
  const ids = summaries.map((summary) => summaryId(owner, summary))
  const [first] = summaries as [NewSummary]
  return listStoredSummaries(
    salus.clickhouse,
    owner.environmentId,
    owner.userId,
    first.resource,
    ids,
  )
}

const weight = (kilogram: number, parts: Partial<Omit<NewSummary<'body'>, 'values'>> = {}) =>
  plainSummary('body', { ...parts, values: { weight_kilogram: kilogram } })

const OTHER = { recordId: 'another' }
const DAY_START = Date.parse('2026-02-10T00:00:00Z')

describe('writing', () => {
  test('every resource comes back as it was', async () => {
    const owner = newOwner()
    const summaries = SUMMARY_RESOURCES.map((resource) =>
      plainSummary(resource, { recordId: `a 'name'\t\\ of\n${resource}`, raw: { a: '\t"' } }),
    )
    assert.deepEqual(await writer.write(owner, summaries), counts(summaries.length, 0, 0))
    const at = salus.clock.now().getTime()
    for (const summary of summaries) {
      const id = summaryId(owner, summary)
      const expected = toStoredSummary(owner, summary, { id, createdAt: at, updatedAt: at })
      const [stored] = await read(owner, summary)
      assert.deepEqual(stored, { ...expected })
    }
    assert.deepEqual(await writer.write(owner, summaries), counts(0, 0, summaries.length))
  })

  test('values at the edge come back too, and what no column takes is null', async () => {
    const owner = newOwner()
    const summary = plainSummary('workouts', {
      startedAt: Date.UTC(1905, 2, 4),
      endedAt: Date.UTC(2290, 5, 6),
      calendarDate: null,
      timezoneOffset: null,
      timeZone: '',
      values: {
        title: "it's a \t\\N\n\u{1f600}",
        calories: 1.1e-7,
        speed_mean: Number.NaN,
        distance_meter: 123456789.12345679,
        steps: 1e25,
        heart_rate_mean: -3,
      },
    })
    await writer.write(owner, [summary])
    const [stored] = await read(owner, summary)
    const { values: _, ...expected } = summary
    assert.deepEqual(
      { ...stored },
      {
        ...toStoredSummary(
          owner,
          { ...expected, values: { ...summary.values, speed_mean: null, steps: null } },
          {
            id: summaryId(owner, summary),
            createdAt: salus.clock.now().getTime(),
            updatedAt: salus.clock.now().getTime(),
          },
        ),
      },
    )
  })

  test('a newer one replaces a summary, which keeps when it was created', async () => {
    const owner = newOwner()
    const createdAt = salus.clock.now().getTime()
    assert.deepEqual(await writer.write(owner, [weight(70)]), counts(1, 0, 0))
    salus.clock.advance(60)
    assert.deepEqual(await writer.write(owner, [weight(71)]), counts(0, 1, 0))
    salus.clock.advance(60)
    assert.deepEqual(await writer.write(owner, [weight(71)]), counts(0, 0, 1))
    const stored = await read(owner, weight(71))
    assert.deepEqual(
      stored.map((row) => [row.created_at, row.updated_at]),
      [[createdAt, createdAt + 60_000]],
    )
    // Also an earlier value: it is a change again.
    assert.deepEqual(await writer.write(owner, [weight(70)]), counts(0, 1, 0))
  })

  test('the same that its source wrote later is newer than what is yet to come', async () => {
    const owner = newOwner()
    const at = (hour: number) => ({ modifiedAt: DAY_START + hour * HOUR_MS })
    await writer.write(owner, [weight(70, at(1))])
    const before = salus.clock.now().getTime()
    salus.clock.advance(60)
    assert.deepEqual(await writer.write(owner, [weight(70, at(3))]), counts(0, 0, 1))
    assert.deepEqual(await writer.write(owner, [weight(99, at(2))]), counts(0, 0, 1))
    const [stored] = await read(owner, weight(70))
    assert.equal((stored as { weight_kilogram?: number }).weight_kilogram, 70)
    assert.equal(stored?.updated_at, before)
  })

  test('of an id twice in one call the later one is stored, once', async () => {
    const owner = newOwner()
    const answer = await writer.write(owner, [weight(70), weight(72), weight(72)])
    assert.deepEqual(answer, counts(1, 1, 1))
    const rows = await salus.clickhouse.queryRows(
      'select weight_kilogram from body_summaries where user_id = {userId:UUID}',
      { userId: owner.userId },
    )
    assert.deepEqual(rows, [{ weight_kilogram: 72 }])
  })

  test('by many at once makes each summary once', async () => {
    const owner = newOwner()
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => writer.write(owner, [weight(70), weight(71, OTHER)])),
      writer.write({ ...owner, provider: 'apple_health_kit' }, [weight(70)]),
    ])
    assert.equal(
      answers.reduce((total, { inserted }) => total + inserted, 0),
      3,
    )
    assert.equal(
      answers.reduce((total, { unchanged }) => total + unchanged, 0),
      18,
    )
  })

  test('of one environment says nothing about another', async () => {
    const owner = newOwner()
    const other = { ...owner, environmentId: randomUUID() }
    await writer.write(owner, [weight(70)])
    assert.deepEqual(await writer.write(other, [weight(71)]), counts(1, 0, 0))
    await writer.remove(other, 'body', [summaryId(other, weight(71))])
    const [stored] = await read(owner, weight(70))
    assert.equal((stored as { weight_kilogram?: number }).weight_kilogram, 70)
    assert.deepEqual(await read(other, weight(71)), [])
  })
})

const anySummary = fc
  .record({
    recordId: fc.constantFrom('one', 'two', 'three'),
    kilogram: fc.integer({ min: 60, max: 63 }),
    hour: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ recordId, kilogram, hour }) =>
    weight(kilogram, { recordId, modifiedAt: DAY_START + hour * HOUR_MS }),
  )

/** Cuts a list at the given bounds. */
function split<T>(list: readonly T[], cuts: readonly number[]): T[][] {
  const bounds = [...new Set(cuts.map((cut) => cut % (list.length + 1)))].sort((a, b) => a - b)
  return [0, ...bounds].map((from, index) => list.slice(from, bounds[index] ?? list.length))
}

test('summaries that say when they were written end the same in any order and any split', async () => {
  const content = async (owner: Owner) =>
    (await read(owner, ...['one', 'two', 'three'].map((recordId) => weight(0, { recordId }))))
      .map((row) => [row.external_id, (row as { weight_kilogram?: number }).weight_kilogram])
      .sort()
  const lists = fc
    .array(anySummary, { minLength: 1, maxLength: 12 })
    .chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
  const cuts = fc.array(fc.nat(), { maxLength: 4 })
  const property = fc.asyncProperty(lists, cuts, async ([list, other], bounds) => {
    const [one, two, three] = [newOwner(), newOwner(), newOwner()]
    await writer.write(one, list)
    for (const part of split(other, bounds)) await writer.write(two, part)
    await Promise.all(split(other, bounds).map((part) => writer.write(three, part)))
    const expected = await content(one)
    assert.deepEqual(await content(two), expected)
    assert.deepEqual(await content(three), expected)
    for (const [recordId, kilogram] of expected) {
      const ofRecord = list.filter((summary) => summary.recordId === recordId)
      const newest = Math.max(...ofRecord.map(({ modifiedAt }) => modifiedAt ?? 0))
      const candidates = ofRecord.filter(({ modifiedAt }) => modifiedAt === newest)
      assert.ok(candidates.some(({ values }) => values.weight_kilogram === kilogram))
    }
  })
  await fc.assert(property, { seed: 2026, numRuns: campaignRuns(8, 40) })
})

describe('removing', () => {
  test('hides a summary until it is written again', async () => {
    const owner = newOwner()
    const written = weight(70, { modifiedAt: DAY_START })
    await writer.write(owner, [written, weight(71, OTHER)])
    const id = summaryId(owner, written)
    const createdAt = salus.clock.now().getTime()
    await writer.remove(owner, 'body', [id, randomUUID()])
    await writer.remove(owner, 'body', [id])
    assert.equal((await read(owner, written, weight(71, OTHER))).length, 1)
    salus.clock.advance(60)
    assert.deepEqual(await writer.write(owner, [written]), counts(1, 0, 0))
    const [back] = await read(owner, written)
    assert.equal(back?.created_at, createdAt)
    // A later version of its source is newer than the removal and the return.
    const later = weight(75, { modifiedAt: DAY_START + 1 })
    assert.deepEqual(await writer.write(owner, [later]), counts(0, 1, 0))
  })

  test('and writing at once end as they came', async () => {
    const owner = newOwner()
    const id = summaryId(owner, weight(70))
    await Promise.all([writer.write(owner, [weight(70)]), writer.remove(owner, 'body', [id])])
    assert.deepEqual(await read(owner, weight(70)), [])
    await Promise.all([
      writer.write(owner, [weight(70)]),
      writer.remove(owner, 'body', [id]),
      writer.write(owner, [weight(71)]),
    ])
    assert.equal((await read(owner, weight(70))).length, 1)
  })
})
