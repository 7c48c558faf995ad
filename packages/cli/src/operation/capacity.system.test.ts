import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildProgram } from '../program.ts'
import { startSalus } from '../testing/salus-command.ts'
import { type Figures, planCapacity, type Shares, type Workload } from './capacity-plan.ts'

/** One upload of one sample a second. */
const WORK: Workload = {
  people: 86_400,
  types: 1,
  minutes: 1440,
  historyDays: 100,
  samplesPerUpload: 1,
  webhooks: 0.5,
  reads: 1,
  polls: 2,
}

/** Round figures, so that the sums below can be followed by hand. */
const FIGURES: Figures = {
  uploadOf1: { api: 100_000, worker: 50_000, postgres: 200_000, clickhouse: 300_000 },
  uploadOf1000: { api: 1_099_000, worker: 50_000, postgres: 1_199_000, clickhouse: 300_000 },
  delivery: { worker: 20_000, postgres: 40_000 },
  read: { api: 30_000, clickhouse: 60_000 },
  poll: { worker: 5000 },
  eventMove: { worker: 10_000 },
  auditMove: { worker: 1000, postgres: 500 },
  sampleRewrite: { clickhouse: 2000 },
  sampleBytes: { clickhouse: 2 },
  eventOf1Bytes: { postgres: 1000 },
  eventOf1000Bytes: { postgres: 1_000_000 },
  movedEventBytes: { postgres: 2000, clickhouse: 100 },
  auditRowBytes: { postgres: 300, clickhouse: 30 },
  uploadOf1Log: { postgres: 1000 },
  uploadOf1000Log: { postgres: 1_000_000 },
  eventMoveLog: { postgres: 100 },
  auditRowLog: { postgres: 500 },
  processMemory: { api: 300, worker: 200 },
  embeddedMemory: { api: 700 },
  processConnections: { api: 6, worker: 6 },
  shardCost: { clickhouse: 2 },
  dispatchRate: { worker: 8 },
}

function assertNear(found: number, expected: number): void {
  assert.ok(Math.abs(found - expected) < expected * 1e-9, `${found} instead of ${expected}`)
}

test('processors are four busiest hours of an average one, half used', () => {
  const { ratesASecond, processors } = planCapacity(WORK, FIGURES)
  assert.deepEqual(ratesASecond.uploads, { average: 1, busiest: 4 })
  assert.deepEqual(ratesASecond.events, ratesASecond.samples)
  // An upload and a read each second: (0.1 + 0.03) × 4 × 2.
  assertNear(processors.api, 1.04)
  // Upload, half a delivery, two polls, the move of an event and of two audit rows.
  assertNear(processors.worker, (0.05 + 0.01 + 0.01 + 0.01 + 0.002) * 8)
  assertNear(processors.postgres, (0.2 + 0.02 + 0.001) * 8)
  // 100 samples of each person are rewritten once a day, which is no busy hour.
  assertNear(processors.clickhouse, (0.3 + 0.06) * 8 + 0.2 * 2)
})

test('the cost of an upload lies between that of one sample and of a thousand', () => {
  const { processors, logADay } = planCapacity(
    { ...WORK, people: 86_400 * 112, samplesPerUpload: 112, reads: 0, polls: 0, webhooks: 0 },
    FIGURES,
  )
  // 111 of 999 steps beyond one sample: 100,000 + 111,000 µs, and 1,000 + 111,000 bytes.
  assertNear(processors.api, 0.211 * 8)
  assertNear(logADay, (1000 + 111_000 + 100) * 86_400)
})

test('an upload of more than a thousand samples raises several events', () => {
  const { ratesASecond } = planCapacity({ ...WORK, samplesPerUpload: 2500 }, FIGURES)
  assertNear(ratesASecond.events.average, ratesASecond.uploads.average * 3)
})

test('the disk has what PostgreSQL holds for a while, and what ClickHouse adds each day', () => {
  const { disk, logADay } = planCapacity(WORK, FIGURES)
  const day = 86_400
  assert.deepEqual(
    disk.map(({ now, aDay, afterHistory }) => [now, aDay, afterHistory]),
    [
      // An hour of 3,600 events is the average; two of four times as many are held.
      [3600 * 4 * 2 * 1000, 0, 3600 * 4 * 2 * 1000],
      [day * 2 * 300, 0, day * 2 * 300],
      [0, day * 2, day * 2 * 100],
      // A twentieth of what PostgreSQL had, for 90 of the 100 days.
      [0, day * 50, day * 50 * 90],
      [0, day * 2 * 30, day * 2 * 30 * 100],
    ],
  )
  assertNear(logADay, day * (1000 + 100 + 500))
})

test('few people need one process, more of them two of each role, and then shards', () => {
  const few = planCapacity({ ...WORK, people: 8640 }, FIGURES)
  assert.equal(few.isOneProcess, true)
  assert.deepEqual(few.processes, { api: 1, worker: 1, postgres: 1, clickhouse: 1 })
  assert.deepEqual(few.connections, { direct: 6, pooled: 21 })
  assert.equal(few.memory.api, 700)

  const more = planCapacity(WORK, FIGURES)
  assert.equal(more.isOneProcess, false)
  assert.deepEqual(more.processes, { api: 2, worker: 2, postgres: 1, clickhouse: 1 })
  assert.deepEqual(more.connections, { direct: 24, pooled: 24 })
  assert.deepEqual(more.memory, { api: 600, worker: 400, postgres: 8e9, clickhouse: 16e9 })

  const many = planCapacity({ ...WORK, people: 864_000 }, FIGURES)
  // (0.3 × 2 on shards + 0.06) × 8 and the rewrite, ten times: 56.8 processors.
  assertNear(many.processors.clickhouse, 56.8)
  assert.deepEqual(many.processes, { api: 11, worker: 7, postgres: 1, clickhouse: 4 })
})

test('limits come in the order of growth, each with the people that reach it', () => {
  const { limits } = planCapacity(WORK, FIGURES)
  const people = limits.map((limit) => limit.people)
  assert.deepEqual(
    people,
    people.toSorted((one, other) => one - other),
  )
  const at = (name: string) => limits.find((limit) => limit.name.startsWith(name))?.people ?? 0
  // Four events a second in the busiest hour, of eight.
  assertNear(at('dispatch'), 86_400 * 2)
  assertNear(at('PostgreSQL'), (86_400 * 64) / 1.768)
  assertNear(at('100 connections'), (86_400 * 100) / ((1.04 + 0.656) * 6))
})

/** What the command prints. */
async function printCapacity(options: string): Promise<string> {
  const lines: string[] = []
  const print = console.log
  console.log = (line: string) => lines.push(line)
  try {
    await buildProgram().parseAsync(['node', 'salus', 'capacity', ...options.split(' ')])
  } finally {
    console.log = print
  }
  return `${lines.join('\n')}\n`
}

test('docs/capacity.md has what the command prints', async () => {
  const page = readFileSync(new URL('../../../../docs/capacity.md', import.meta.url), 'utf8')
  const pasted = [
    ...page.matchAll(/^```sh\nsalus capacity (.+)\n```\n\n```text\n([\s\S]*?)^```$/gm),
  ]
  assert.equal(pasted.length, 3)
  for (const [, options = '', output] of pasted) {
    assert.equal(await printCapacity(options), output, 'paste the output again')
  }
})

test('docs/capacity.md has the processor times of the figures', async () => {
  const page = readFileSync(new URL('../../../../docs/capacity.md', import.meta.url), 'utf8')
  const { figures } = JSON.parse(await printCapacity('--people 1 --json'))
  const rows = Object.values<{ what: string; unit: string; values: Shares }>(figures)
    .filter(({ unit }) => unit === 'µs of a processor')
    .map(({ what, values: { api = 0, worker = 0, postgres = 0, clickhouse = 0 } }) =>
      [what, api, worker, postgres, clickhouse].join(' | '),
    )
  assert.equal(rows.length, 8)
  assert.deepEqual(
    rows.filter((row) => !page.includes(`| ${row} |`)),
    [],
  )
})

test('figures say how they were measured, and wrong values are refused', async () => {
  const { workload, figures } = JSON.parse(await printCapacity('--people 7 --minutes 90 --json'))
  // A series of fewer than one value an hour is uploaded value by value.
  assert.equal(workload.samplesPerUpload, 1)
  const keys = ['what', 'unit', 'values', 'date', 'processor', 'node', 'command']
  for (const [name, figure] of Object.entries<object>(figures)) {
    assert.deepEqual(
      keys.filter((key) => !(key in figure)),
      [],
      name,
    )
  }
  assert.deepEqual(Object.keys(figures).sort(), Object.keys(FIGURES).sort())

  const { code, stderr } = await startSalus(['capacity', '--people', '10', '--webhooks', '1.5'])
    .result
  assert.equal(code, 2)
  assert.match(stderr, /--webhooks.*It must be a number from 0 to 1\./)
})
