import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { startSalus } from '../testing/salus-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'salus-cli-map-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const map = (args: string[], input?: string) =>
  startSalus(['providers', 'map', ...args], {}, input).result

/** Invented values in the documented form. */
const BEATS = {
  data: [
    { bpm: 61, source: 'awake', timestamp: '2026-03-01T08:00:00+00:00' },
    { bpm: 'fast', source: 'awake', timestamp: '2026-03-01T08:05:00+00:00' },
  ],
  next_token: null,
}
const NIGHT = {
  data: [
    {
      ...{ id: 'n1', day: '2026-03-02', type: 'long_sleep' },
      ...{ bedtime_start: '2026-03-01T23:00:00+01:00', bedtime_end: '2026-03-01T23:10:00+01:00' },
      ...{ time_in_bed: 600, sleep_phase_5_min: '12' },
    },
  ],
  next_token: null,
}

describe('salus providers map', () => {
  it('prints a JSON object a line, from a file or stdin, without a server', async () => {
    const path = join(folder, 'beats.json')
    writeFileSync(path, JSON.stringify(BEATS))
    const file = await map(['oura', '--collection', 'heartrate', path])
    assert.deepEqual([file.code, file.stderr], [0, ''])
    const [sample, refused] = file.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual([sample.resource, sample.value, sample.unit], ['heartrate', 61, 'bpm'])
    assert.deepEqual(refused, {
      ...{ resource: 'heartrate', refused: 'invalid_value', item: BEATS.data[1] },
    })
    const stdin = await map(['oura', '--collection', 'heartrate', '-'], JSON.stringify(BEATS))
    assert.equal(stdin.stdout, file.stdout)
  })

  it('takes the answers to further requests from the context, and names missing ones', async () => {
    const payload = JSON.stringify(NIGHT)
    const bare = await map(['oura', '--collection', 'sleep', '-'], payload)
    assert.equal(bare.code, 0, bare.stderr)
    assert.match(bare.stderr, /daily_sleep\?start_date=2026-03-02&end_date=2026-03-03/)
    const context = join(folder, 'context.json')
    const scores = { data: [{ day: '2026-03-02', score: 84 }] }
    const range = { from: '2026-03-01T00:00:00Z', to: '2026-03-03T00:00:00Z' }
    writeFileSync(context, JSON.stringify({ details: [scores, { data: [] }], range, cursor: null }))
    const whole = await map(['oura', '--collection', 'sleep', '--context', context, '-'], payload)
    assert.equal(whole.stderr, '')
    const night = whole.stdout.split('\n').find((line) => line.includes('"stages"'))
    const { values, stages, calendar_date } = JSON.parse(night ?? '')
    assert.deepEqual([values.score, calendar_date], [84, '2026-03-02'])
    assert.deepEqual(stages, [
      ['deep', 0, 300],
      ['light', 300, 600],
    ])
    writeFileSync(context, '{"detail": []}')
    const wrong = await map(['oura', '--collection', 'sleep', '--context', context, '-'], payload)
    assert.equal(wrong.code, 1)
    assert.match(
      wrong.stderr,
      /^salus: The context has details, range, cursor and extra, but no detail\.$/m,
    )
  })

  it('lists the collections with their resources', async () => {
    const { code, stdout } = await map(['oura', '--list'])
    assert.equal(code, 0)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const sleep = lines.find(({ collection }) => collection === 'sleep')
    assert.ok(sleep.resources.includes('sleep_cycle'))
    assert.equal(sleep.requests_details, true)
  })

  it('refuses other payloads and names with one line and exit code 1', async () => {
    const beats = ['oura', '--collection', 'heartrate', '-']
    for (const [args, input, message] of [
      [beats, '{"a": 1}', /not an answer, and has no data of the collection heartrate of oura/],
      [beats, '{', /^salus: stdin is not valid JSON/],
      [['oura', '--collection', 'hartrate', '-'], '{}', /Did you mean heartrate\?/],
      [['our', '--collection', 'heartrate', '-'], '{}', /no provider our\. Did you mean oura\?/],
      [['manual', '--list'], '', /no connector for manual/],
      [['oura', '--collection', 'heartrate', join(folder, 'none')], '', /There is no file/],
    ] as const) {
      const { code, stdout, stderr } = await map([...args], input)
      assert.deepEqual([code, stdout], [1, ''], stderr)
      assert.match(stderr, message)
      assert.equal(stderr.trimEnd().split('\n').length, 1)
    }
    assert.equal((await map(['oura'])).code, 2)
  })
})
