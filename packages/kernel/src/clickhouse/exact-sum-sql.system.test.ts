import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import {
  createSeededRandom,
  type SeededRandom,
} from '../../../server/test/queries/seeded-random.ts'
import type { ClickHouse } from './clickhouse.ts'
import { openEmbeddedClickHouse } from './embedded-clickhouse.ts'
import { exactDeviationSql, exactMeanSql, exactSumSql } from './exact-sum-sql.ts'

let directory: string
let clickhouse: ClickHouse
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'salus-sums-'))
  clickhouse = await openEmbeddedClickHouse({ directory })
})
after(async () => {
  await clickhouse?.close()
  await rm(directory, { recursive: true })
})

interface Answer {
  sum: number | null
  mean: number | null
  deviation: number | null
}

const COLUMNS = `${exactSumSql('value', 'a')} as sum, ${exactMeanSql('value', 'b')} as mean,
  ${exactDeviationSql('value', 'c')} as deviation`

/** Answers about groups whose rows are in so many parts, which so many threads read. */
async function answersOf(
  random: SeededRandom,
  groups: readonly (readonly number[])[],
): Promise<Answer[]> {
  const rows = groups
    .flatMap((values, group) => values.map((value) => ({ value, group, at: random.next() })))
    .toSorted((one, other) => one.at - other.at)
  await clickhouse.command('drop table if exists numbers_to_add')
  await clickhouse.command(
    'create table numbers_to_add (place UInt32, value Float64) engine = MergeTree order by tuple()',
  )
  const size = Math.ceil(rows.length / (1 + random.below(5)))
  for (let from = 0; from < rows.length; from += size) {
    const lines = rows.slice(from, from + size).map(({ group, value }) => `${group}\t${value}\n`)
    await clickhouse.insert('numbers_to_add', ['place', 'value'], Buffer.from(lines.join('')))
  }
  return await clickhouse.queryRows<Answer>(
    `select ${COLUMNS} from numbers_to_add group by place order by place
    settings max_threads = ${1 + random.below(4)}, max_block_size = ${1 + random.below(300)}`,
  )
}

/** Numbers of a device with some decimals, or of any size. */
function randomValues(random: SeededRandom): number[] {
  const isMeasured = random.chance(0.5)
  const decimals = 10 ** random.below(7)
  return Array.from({ length: 2 + random.below(300) }, () => {
    if (isMeasured) return Math.round(random.next() * 200 * decimals) / decimals
    return (random.next() - 0.5) * 2 ** (random.below(50) - 12)
  })
}

/** Units of 2^-1074, in which every number is whole. */
const UNITS = 1074n

function unitsOf(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, Math.abs(value))
  const word = bits.getBigUint64(0)
  const exponent = word >> 52n
  const digits = word & ((1n << 52n) - 1n)
  const units = exponent === 0n ? digits : (digits | (1n << 52n)) << (exponent - 1n)
  return value < 0 ? -units : units
}

/** The number next to a fraction; of two that are as near, the even one. */
function nearest(numerator: bigint, denominator: bigint): number {
  if (numerator < 0n) return -nearest(-numerator, denominator)
  const excess = numerator.toString(2).length - denominator.toString(2).length
  const shift = BigInt(Math.max(0, 64 - excess))
  const quotient = (numerator << shift) / denominator
  const isWhole = quotient * denominator === numerator << shift
  // A last digit of one stands for all that follow.
  return Number((quotient << 1n) + (isWhole ? 0n : 1n)) / 2 ** Number(shift + 1n)
}

function exactly(values: readonly number[]): { sum: number; mean: number; deviation: number } {
  const count = BigInt(values.length)
  const units = values.map(unitsOf)
  const sum = units.reduce((one, other) => one + other, 0n)
  const squares = units.reduce((total, value) => total + value * value, 0n)
  const variance = nearest(count * squares - sum * sum, (count * (count - 1n)) << (2n * UNITS))
  return {
    sum: nearest(sum, 1n << UNITS),
    mean: nearest(sum, count << UNITS),
    deviation: Math.sqrt(variance),
  }
}

/** Difference in units of the last digit. */
const digitsApart = (one: number, other: number): number =>
  Math.abs(one - other) / (Math.abs(other) * 2 ** -52)

test('sums are right to the last digit, and means and deviations nearly, in any order', async () => {
  for (let seed = 1; seed <= campaignRuns(3, 200); seed += 1) {
    const random = createSeededRandom(seed)
    const groups = Array.from({ length: 20 }, () => randomValues(random))
    const answers = await answersOf(random, groups)
    assert.deepEqual(await answersOf(random, groups), answers, `seed ${seed}`)
    for (const [group, values] of groups.entries()) {
      const { sum, mean, deviation } = answers[group] as Record<keyof Answer, number>
      const wanted = exactly(values)
      assert.equal(sum, wanted.sum, `seed ${seed}, group ${group}`)
      assert.ok(digitsApart(mean, wanted.mean) <= 1, `mean ${mean} for ${wanted.mean}`)
      const isNear = digitsApart(deviation, wanted.deviation) <= 2
      assert.ok(isNear, `deviation ${deviation} for ${wanted.deviation}`)
    }
  }
})

test('numbers that no device sends are added too', async () => {
  const random = createSeededRandom(1)
  const [huge, equal] = await answersOf(random, [
    [1e300, 3, -3],
    [1e12, 1e12],
  ])
  assert.deepEqual(huge, { sum: 1e300, mean: 1e300 / 3, deviation: null })
  assert.deepEqual(equal, { sum: 2e12, mean: 1e12, deviation: 0 })
})

test('without numbers there is no sum, and of one no deviation', async () => {
  const ask = async (from: string) =>
    (await clickhouse.queryRows<Answer>(`select ${COLUMNS} from (${from})`))[0]
  const nothing = { sum: null, mean: null, deviation: null }
  assert.deepEqual(await ask('select toNullable(1.5) as value where 0'), nothing)
  assert.deepEqual(await ask("select cast(null, 'Nullable(Float64)') as value"), nothing)
  const single = { sum: 1.5, mean: 1.5, deviation: null }
  assert.deepEqual(await ask('select 1.5 as value'), single)
})
