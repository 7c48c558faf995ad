import assert from 'node:assert/strict'
import { analyzeQuery, compileQuery } from '@salus/health/queries'
import { InputError } from '@salus/kernel/errors'
import type { Query } from '../../../health/src/queries/query.schema.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

/** Stands in every text of a filter: where it is in a statement, a text of the client is. */
const MARK = 'zq0'
const COLUMNS = [
  'type',
  'state',
  'efficiency',
  'score',
  'session_end',
  'source_provider',
  'nothing',
]
const LITERALS = [
  `'${MARK}'`,
  `'${MARK}''; drop table samples; --'`,
  `'${MARK}\\''`,
  `'{${MARK}:String}'`,
  `"${MARK}"`,
  `\`${MARK}\``,
  MARK,
  `'2025-01-31'`,
  `'2025-01-31T07:00:00'`,
  '80.125',
  '-1e5',
  'NULL',
  'TRUE',
]
const GLUE = [' and ', ' OR ', ' and not ', ') or (', ' ', '; ', '/*', '--', ' union all ', ', ']
const OPERATORS = ['=', '!=', '<', '>=', '<>', ' in ', ' like ']

/** What became of filters on their way to a statement. */
export interface FilterFuzzOutcome {
  compiled: number
  /** By the type of the error. */
  refused: Record<string, number>
}

const TARGET = {
  environmentId: '00000000-0000-4000-8000-000000000001',
  userId: '00000000-0000-4000-8000-000000000002',
  fallbackZone: 'Europe/Vienna',
  devices: new Map<string, string>(),
  providerPriorities: new Map<string, number>(),
  overrides: [],
  now: new Date(0),
}

/**
 * Makes statements of random filters. Each is a statement without a text of the filter, or refused
 * with 422.
 */
export function fuzzFilters(count: number, seed: number): FilterFuzzOutcome {
  const random = createSeededRandom(seed)
  const outcome: FilterFuzzOutcome = { compiled: 0, refused: {} }
  for (let done = 0; done < count; done++) {
    const where = makeFilter(random)
    const query = { select: [{ sleep: 'efficiency' }], where } as unknown as Query
    try {
      const analyzed = analyzeQuery(query, ['body', 'queries', 0])
      const { sql } = compileQuery(analyzed, { from: 0, to: 1 }, TARGET)
      assert.ok(!sql.includes(MARK) && !sql.includes('80.125'), JSON.stringify(where))
      outcome.compiled++
    } catch (error) {
      if (!(error instanceof InputError)) throw new Error(JSON.stringify(where), { cause: error })
      const type = error.problems[0]?.type ?? ''
      outcome.refused[type] = (outcome.refused[type] ?? 0) + 1
    }
  }
  return outcome
}

function makeFilter(random: SeededRandom): string {
  const terms = Array.from({ length: 1 + random.below(4) }, () => {
    const operator = random.chance(0.85)
      ? random.pick(OPERATORS.slice(0, 4))
      : random.pick(OPERATORS)
    return `${random.pick(COLUMNS)} ${operator} ${random.pick(LITERALS)}`
  })
  const filter = terms.reduce(
    (text, term) =>
      text + (random.chance(0.9) ? random.pick(GLUE.slice(0, 3)) : random.pick(GLUE)) + term,
  )
  return random.chance(0.8) ? filter : `(${filter})`
}

if (import.meta.main) {
  const [count = '1000000', seed = '1'] = process.argv.slice(2)
  const start = performance.now()
  const outcome = fuzzFilters(Number(count), Number(seed))
  const perSecond = Math.round(Number(count) / ((performance.now() - start) / 1000))
  process.stdout.write(
    `${JSON.stringify({ seed: Number(seed), perSecond, ...outcome }, null, 2)}\n`,
  )
}
