import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { CliError } from '../terminal/cli-error.ts'
import { nearestNames } from '../terminal/nearest-names.ts'
import { readQueryFile } from './query-file.ts'
import { formatQueryTable } from './query-table.ts'
import { drawBar, drawSparkline, shrinkSeries } from './sparkline.ts'

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'salus-query-files-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(content: unknown): string {
  const path = join(folder, 'query.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const SELECT = { select: [{ index: 'sleep' }] }
const TIMEFRAME = {
  type: 'relative',
  anchor: '2026-01-31',
  past: { value: 30, unit: 'day' },
} as const

describe('sparklines', () => {
  it('go from the least to the greatest value, with gaps where there is none', () => {
    assert.equal(drawSparkline([0, 1, null, 7]), '▁▂ █')
  })

  it('of values that are all the same stand in the middle', () => {
    assert.equal(drawSparkline([5, 5]), '▅▅')
  })

  it('of long series are made of means of their parts', () => {
    assert.deepEqual(shrinkSeries([1, 3, 5, null, null, null], 3), [2, 5, null])
    assert.deepEqual(shrinkSeries([1, 2], 3), [1, 2])
  })

  it('bars are as long as their share, and never empty for a value above zero', () => {
    assert.equal(drawBar(10, 10, 4), '████')
    assert.equal(drawBar(5, 10, 3), '█▌')
    assert.equal(drawBar(0.001, 10, 4), '▏')
    assert.equal(drawBar(null, 10, 4), '')
    assert.equal(drawBar(0, 0, 4), '')
  })
})

describe('nearest names', () => {
  it('are those with the fewest errors, of any case, at most one in three letters', () => {
    const names = ['steps', 'stands', 'sleep.efficiency', 'heartrate', 'hrv', 'fat', 'fall']
    assert.deepEqual(nearestNames('stepz', names), ['steps'])
    assert.deepEqual(nearestNames('Setps', names), ['steps'])
    assert.deepEqual(nearestNames('heart_rate', names), ['heartrate'])
    assert.deepEqual(nearestNames('sleep.eficency', names), ['sleep.efficiency'])
    assert.deepEqual(nearestNames('glucose', names), [])
    assert.deepEqual(nearestNames('fax', ['fat', 'fan', 'fac', 'far']), ['fac', 'fan', 'far'])
  })
})

describe('query files', () => {
  it('hold one query, a list, or the whole body', async () => {
    for (const content of [SELECT, [SELECT], { queries: [SELECT] }]) {
      const body = await readQueryFile(fileOf(content), TIMEFRAME)
      assert.deepEqual(body, { queries: [SELECT], timeframe: TIMEFRAME })
    }
  })

  it('keep their own timeframe unless another is given', async () => {
    const own = { type: 'relative', anchor: '2020-01-01', past: { value: 1, unit: 'day' } }
    const path = fileOf({ timeframe: own, queries: [SELECT], config: {} })
    assert.deepEqual((await readQueryFile(path, undefined)).timeframe, own)
    assert.deepEqual((await readQueryFile(path, TIMEFRAME)).timeframe, TIMEFRAME)
  })

  it('say what is wrong with them', async () => {
    const refusal = async (content: unknown) =>
      readQueryFile(fileOf(content), undefined).then(
        () => 'nothing',
        (error) => (error instanceof CliError ? error.message : 'another error'),
      )
    assert.match(await refusal('{'), /is not JSON/)
    assert.match(await refusal('1'), /neither a query/)
    assert.match(await refusal(SELECT), /no timeframe/)
    await assert.rejects(readQueryFile(join(folder, 'none'), undefined), /There is no file/)
  })
})

describe('tables of answers', () => {
  it('have a bar a row and a line a column', () => {
    const text = formatQueryTable({
      index: ['2026-01-01T00:00:00', '2026-01-02T00:00:00', '2026-01-03T00:00:00'],
      sum: [1000, null, 4000],
    })
    const lines = text.split('\n')
    assert.match(lines[0] ?? '', /^index +sum/)
    assert.equal(lines[2], `2026-01-01T00:00:00  1,000  ${'█'.repeat(5)}`)
    assert.equal(lines[3], '2026-01-02T00:00:00      –')
    assert.equal(lines[4], `2026-01-03T00:00:00  4,000  ${'█'.repeat(20)}`)
    assert.equal(lines.at(-1), 'sum  ▁ █  1,000 to 4,000')
  })

  it('have the titles that were given, and no line of the key that groups', () => {
    const weekdays = { 'group_key.0': [1, 2, 3], 'mean.sleep.efficiency': [90, 91, 92] }
    const text = formatQueryTable(weekdays, ['weekday', 'sleep.efficiency'])
    assert.match(text, /^weekday +sleep\.efficiency\n/)
    assert.match(text, /\nsleep\.efficiency {2}▁▅█ {2}90 to 92$/)
    assert.doesNotMatch(text, /group_key|mean|1 to 3/)
  })

  it('without rows, and without numbers, are still readable', () => {
    assert.equal(formatQueryTable({ sum: [] }), 'No rows.')
    assert.match(formatQueryTable({ chronotype: ['lark', null] }), /lark\n–$/)
  })
})
