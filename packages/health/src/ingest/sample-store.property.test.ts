import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import type { Sample, WriteCounts } from './sample.ts'

const salus = useFixture(createHarness)

const DAY_START = Date.parse('2026-02-10T00:00:00Z')
const APPS = ['', 'com.example', "o'neil \\\t\u{1f600}"]

/** Few keys, so that samples meet often; starts from minutes to years apart. */
const anyKey = fc.record({
  series: fc.constantFrom('steps', 'heartrate', 'note'),
  startedAt: fc.constantFrom(
    DAY_START,
    DAY_START + 1,
    DAY_START + 60_000,
    DAY_START + 3 * DAY_MS,
    Date.UTC(1905, 2, 4),
    Date.UTC(2290, 5, 6),
  ),
  sourceType: fc.constantFrom('watch', 'phone'),
  appId: fc.constantFrom(...APPS),
})

const anyContent = fc.record({
  value: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: 0, max: 1e25, noNaN: true })),
  text: fc.constantFrom('', "it's", 'a\nb'),
  timezoneOffset: fc.constantFrom(null, 0, 3600),
  extra: fc.constantFrom('', '{"tags":["food"]}'),
})

const toSample = (parts: Partial<Sample>, modifiedAt: number | null): Sample =>
  plainSample({ startedAt: DAY_START, value: 0, sourceType: 'watch', ...parts, modifiedAt })

const anySample = (modifiedAt: fc.Arbitrary<number | null>) =>
  fc
    .tuple(anyKey, anyContent, modifiedAt)
    .map(([key, content, at]) => toSample({ ...key, ...content, value: content.value + 0 }, at))

const keyOf = ({ series, startedAt, sourceType, appId }: Sample) =>
  JSON.stringify([series, startedAt, sourceType, appId])
const contentOf = ({ value, text, timezoneOffset, extra }: Sample) =>
  JSON.stringify([value, text, timezoneOffset, extra])

/** An owner without data. */
const newOwner = () => ({ environmentId: randomUUID(), userId: randomUUID(), provider: 'manual' })
type Owner = ReturnType<typeof newOwner>

/** The stored content of a user by key, as the models below have it. */
async function storedState(owner: Owner): Promise<Map<string, string>> {
  const rows = await salus.clickhouse.queryRows<Record<string, never>>(
    `select series, toUnixTimestamp64Milli(started_at) as startedAt, source_type as sourceType,
      app_id as appId, value, text_value as text, timezone_offset as timezoneOffset, extra
    from samples final where user_id = {userId:UUID}`,
    { userId: owner.userId },
  )
  const samples = rows as unknown as Sample[]
  return new Map(samples.map((row) => [keyOf(row), contentOf(row)]))
}

const sum = (counts: WriteCounts[]) =>
  counts.reduce(
    (total, { inserted, updated, unchanged }) => total + inserted + updated + unchanged,
    0,
  )

/** Cuts a list at the given bounds. */
function split<T>(list: readonly T[], cuts: readonly number[]): T[][] {
  const bounds = [...new Set(cuts.map((cut) => cut % (list.length + 1)))].sort((a, b) => a - b)
  return [0, ...bounds].map((from, index) => list.slice(from, bounds[index] ?? list.length))
}

const anyCuts = fc.array(fc.nat(), { maxLength: 6 })
const RUNS = { seed: 2026, numRuns: campaignRuns(10, 60) }

test('uploads one after the other, split in any way, leave what a plain map would hold', async () => {
  const samples = fc.array(anySample(fc.constant(null)), { maxLength: 30 })
  const property = fc.asyncProperty(samples, anyCuts, async (list, cuts) => {
    const owner = newOwner()
    const model = new Map(list.map((sample) => [keyOf(sample), contentOf(sample)]))
    const counts: WriteCounts[] = []
    for (const part of split(list, cuts)) counts.push(await salus.writer.write(owner, part))
    assert.deepEqual(await storedState(owner), model)
    assert.equal(sum(counts), list.length)
    const inserted = counts.reduce((total, count) => total + count.inserted, 0)
    assert.equal(inserted, model.size)
    // The last versions once more change nothing.
    const last = [...new Map(list.map((sample) => [keyOf(sample), sample])).values()]
    const again = await salus.writer.write(owner, last)
    assert.deepEqual(again, { inserted: 0, updated: 0, unchanged: last.length })
  })
  await fc.assert(property, RUNS)
})

test('concurrent uploads of distinct keys, each any number of times, leave every one of them', async () => {
  const keys = fc.uniqueArray(anySample(fc.constant(null)), { selector: keyOf, maxLength: 20 })
  const order = fc.array(fc.nat(), { minLength: 1, maxLength: 30 })
  const property = fc.asyncProperty(keys, order, anyCuts, async (list, indexes, cuts) => {
    const owner = newOwner()
    const repeated = indexes.flatMap((index) => list[index % Math.max(1, list.length)] ?? [])
    const all = [...repeated, ...list]
    const counts = await Promise.all(
      split(all, cuts).map((part) => salus.writer.write(owner, part)),
    )
    assert.equal(sum(counts), all.length)
    assert.equal(
      counts.reduce((total, count) => total + count.inserted, 0),
      list.length,
    )
    assert.deepEqual(
      await storedState(owner),
      new Map(list.map((sample) => [keyOf(sample), contentOf(sample)])),
    )
  })
  await fc.assert(property, RUNS)
})

const writtenAt = fc.integer({ min: 1, max: 4 }).map((hour) => DAY_START + hour * HOUR_MS)

test('samples that say when they were written end the same in any order and any split', async () => {
  const samples = fc.array(anySample(writtenAt), { maxLength: 20 })
  const shuffled = samples.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  const property = fc.asyncProperty(shuffled, anyCuts, async ([list, other], cuts) => {
    const [one, two, three] = [newOwner(), newOwner(), newOwner()]
    const counts = [await salus.writer.write(one, list)]
    for (const part of split(other, cuts)) counts.push(await salus.writer.write(two, part))
    counts.push(
      ...(await Promise.all(split(other, cuts).map((part) => salus.writer.write(three, part)))),
    )
    assert.equal(sum(counts), 3 * list.length)
    const expected = await storedState(one)
    assert.deepEqual(await storedState(two), expected)
    assert.deepEqual(await storedState(three), expected)
    for (const sample of list) {
      const newest = Math.max(
        ...list.filter((s) => keyOf(s) === keyOf(sample)).map((s) => s.modifiedAt ?? 0),
      )
      const candidates = list.filter((s) => keyOf(s) === keyOf(sample) && s.modifiedAt === newest)
      assert.ok(candidates.map(contentOf).includes(expected.get(keyOf(sample)) ?? ''))
    }
  })
  await fc.assert(property, RUNS)
})
