import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import type { Sample, SampleBatch, SampleOwner } from './sample.ts'
import { mergeSamples } from './sample-merge.ts'
import { contentText, keyAfterTime, keyBeforeTime, timestampText } from './sample-rows.ts'
import type { Version } from './source-series.ts'

const owner = {
  environmentId: '00000000-0000-4000-8000-000000000001',
  userId: '00000000-0000-4000-8000-000000000002',
  provider: 'manual',
}

const sampleOf = (change: Partial<Sample> = {}): Sample =>
  plainSample({
    startedAt: Date.parse('2026-03-10T08:00:00Z'),
    endedAt: Date.parse('2026-03-10T08:05:00Z'),
    sourceType: 'watch',
    ...change,
  })

/** The columns of a row as a look-up reads them. */
function storedColumns(owner: SampleOwner, { sample: written, version }: Version): string[] {
  const sample = written as Sample
  const time = timestampText(sample.startedAt)
  const key = `${keyBeforeTime(owner, sample)}\t${time}\t${keyAfterTime(owner, sample)}`
  return `${key}\t${contentText(sample)}\t${sample.value}\t${version}`.split('\t')
}

/** Merges one batch after another, the rows of one being the store of the next. */
class Store {
  readonly rows = new Map<string, string[]>()
  #version = 1_000_000

  async merge(...batches: Sample[][]) {
    const wrapped: SampleBatch[] = batches.map((samples) => ({
      owner,
      samples,
      publication: undefined,
    }))
    const stored = [...this.rows.values()].map((columns) => `${columns.join('\t')}\n`).join('')
    const { rows, counts } = await mergeSamples(wrapped, stored, [], () => ++this.#version)
    const lines = rows.map(storedColumns)
    for (const columns of lines) this.rows.set(columns.slice(0, 9).join(), columns)
    return { counts: counts.map((c) => [c.inserted, c.updated, c.unchanged]), lines }
  }

  values(): string[] {
    return [...this.rows.values()].map((columns) => columns[16] ?? '')
  }
}

test('a new key is inserted, another value updates it, the same again changes nothing', async () => {
  const store = new Store()
  assert.deepEqual((await store.merge([sampleOf()])).counts, [[1, 0, 0]])
  assert.deepEqual(await store.merge([sampleOf()]), { counts: [[0, 0, 1]], lines: [] })
  assert.deepEqual((await store.merge([sampleOf({ value: 11 })])).counts, [[0, 1, 0]])
  assert.deepEqual(store.values(), ['11'])
})

const OTHER_KEYS: Partial<Sample>[] = [
  { series: 'distance' },
  { startedAt: Date.parse('2026-03-10T08:00:00.001Z') },
  { sourceType: 'phone' },
  { appId: 'com.example' },
  { sampleType: 'stood' },
  { workoutId: '00000000-0000-4000-8000-000000000009' },
]
const OTHER_CONTENT: Partial<Sample>[] = [
  { endedAt: Date.parse('2026-03-10T08:06:00Z') },
  { value: 12 },
  { diastolic: 80 },
  { text: 'a' },
  { sport: 'running' },
  { timezoneOffset: 3600 },
  { timeZone: 'Europe/Vienna' },
  { extra: '{}' },
]

for (const change of OTHER_KEYS) {
  test(`another ${Object.keys(change)} is another sample`, async () => {
    const { counts } = await new Store().merge([sampleOf(), sampleOf(change)])
    assert.deepEqual(counts, [[2, 0, 0]])
  })
}

for (const change of OTHER_CONTENT) {
  test(`another ${Object.keys(change)} is a newer version of the sample`, async () => {
    const store = new Store()
    await store.merge([sampleOf()])
    assert.deepEqual((await store.merge([sampleOf(change)])).counts, [[0, 1, 0]])
    assert.deepEqual((await store.merge([sampleOf(change)])).counts, [[0, 0, 1]])
  })
}

test('a key that comes twice in one insert makes one row, the later one', async () => {
  const { counts, lines } = await new Store().merge([
    sampleOf({ value: 1 }),
    sampleOf({ value: 2, sourceType: 'phone' }),
    sampleOf({ value: 3 }),
    sampleOf({ value: 3 }),
  ])
  assert.deepEqual(counts, [[2, 1, 1]])
  assert.equal(lines.length, 2)
  assert.equal(lines[0]?.[16], '3')
})

test('callers in one insert are taken in their order, each with its own counts', async () => {
  const store = new Store()
  const { counts } = await store.merge(
    [sampleOf({ value: 1 })],
    [sampleOf({ value: 2 })],
    [sampleOf()],
  )
  assert.deepEqual(counts, [
    [1, 0, 0],
    [0, 1, 0],
    [0, 1, 0],
  ])
  assert.deepEqual(store.values(), ['10'])
})

test('two people with the same sample do not meet', async () => {
  const other = { ...owner, userId: '00000000-0000-4000-8000-000000000003' }
  const batches = [owner, other].map((person) => ({
    owner: person,
    samples: [sampleOf()],
    publication: undefined,
  }))
  const { counts } = await mergeSamples(batches, '', [], () => 1)
  assert.deepEqual(
    counts.map(({ inserted }) => inserted),
    [1, 1],
  )
})

test('of two versions that say when they were written the later stays, in either order', async () => {
  const old = sampleOf({ value: 1, modifiedAt: 1000 })
  const young = sampleOf({ value: 2, modifiedAt: 2000 })
  const forward = new Store()
  await forward.merge([old])
  assert.deepEqual((await forward.merge([young])).counts, [[0, 1, 0]])
  const backward = new Store()
  await backward.merge([young])
  assert.deepEqual(await backward.merge([old]), { counts: [[0, 0, 1]], lines: [] })
  assert.deepEqual([forward.values(), backward.values()], [['2'], ['2']])
})

test('a tie of times goes to the larger value, then the later text, in either order', async () => {
  const low = sampleOf({ value: 1, modifiedAt: 1000, timeZone: 'Z' })
  const high = sampleOf({ value: 2, modifiedAt: 1000, timeZone: 'A' })
  for (const order of [
    [low, high],
    [high, low],
  ]) {
    const store = new Store()
    for (const sample of order) await store.merge([sample])
    assert.deepEqual(store.values(), ['2'])
  }
  const texts = ['a', 'b'].map((text) => sampleOf({ text, modifiedAt: 1000 }))
  for (const order of [texts, texts.toReversed()]) {
    const store = new Store()
    await store.merge(order)
    assert.equal([...store.rows.values()][0]?.[14], 'b')
  }
})

test('a local time that another import found stays, or is put right, where nothing else differs', async () => {
  const first = sampleOf({ modifiedAt: 1000, timezoneOffset: 3600, localTimeOfEqual: 'kept' })
  const store = new Store()
  await store.merge([first])
  const other = { ...first, timezoneOffset: 7200, timeZone: 'Europe/Vienna' }
  assert.deepEqual(await store.merge([other]), { counts: [[0, 0, 1]], lines: [] })
  const revised = { ...other, localTimeOfEqual: 'revised' as const }
  assert.deepEqual((await store.merge([revised])).counts, [[0, 1, 0]])
  assert.deepEqual(await store.merge([revised]), { counts: [[0, 0, 1]], lines: [] })
  assert.deepEqual((await store.merge([{ ...revised, timezoneOffset: -3600 }])).counts, [[0, 1, 0]])
  assert.equal(store.rows.size, 1)
  assert.deepEqual([...store.rows.values()][0]?.slice(11, 13), ['-3600', 'Europe/Vienna'])
  // A better local time is a later version, and an older one changes nothing.
  assert.deepEqual((await store.merge([{ ...first, modifiedAt: 1001 }])).counts, [[0, 1, 0]])
  assert.deepEqual((await store.merge([revised])).counts, [[0, 0, 1]])
  // Another value follows the rule for all ties.
  assert.deepEqual((await store.merge([{ ...first, modifiedAt: 1001, value: 11 }])).counts, [
    [0, 1, 0],
  ])
  assert.deepEqual((await store.merge([{ ...first, modifiedAt: 1001 }])).counts, [[0, 0, 1]])
})

test('the same content written later keeps the later time, so nothing between can win', async () => {
  const store = new Store()
  await store.merge([sampleOf({ value: 1, modifiedAt: 1000 })])
  const again = await store.merge([sampleOf({ value: 1, modifiedAt: 3000 })])
  assert.deepEqual([again.counts, again.lines.length], [[[0, 0, 1]], 1])
  assert.deepEqual((await store.merge([sampleOf({ value: 2, modifiedAt: 2000 })])).counts, [
    [0, 0, 1],
  ])
  assert.deepEqual(store.values(), ['1'])
})

test('texts with quotes, backslashes and tabs are the same when they come again', async () => {
  const odd = sampleOf({ appId: "o'neil\\\t\n", text: "it's\0\b\f\r" })
  const store = new Store()
  assert.deepEqual((await store.merge([odd])).counts, [[1, 0, 0]])
  assert.equal(store.rows.size, 1)
  assert.deepEqual((await store.merge([odd])).counts, [[0, 0, 1]])
})
