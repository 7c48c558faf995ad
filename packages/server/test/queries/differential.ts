import { createHarness, type Harness } from '../harness.ts'
import { findDifference } from './compare-tables.ts'
import { type RandomPerson, randomPerson } from './random-data.ts'
import { type RandomRequest, randomRequest } from './random-query.ts'
import { answerQuery } from './reference/reference-query.ts'
import type { WireAnswer, WireQuery } from './reference/wire-query.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'
import { simplifyQuery } from './simplify-query.ts'
import { storePersonData } from './store-person-data.ts'

/** Queries of one call; the most that a call may have. */
const QUERIES_A_CALL = 20

export interface DifferentialOptions {
  queries: number
  seed: number
  /** Queries about one person's data before another one is made. */
  queriesAPerson?: number
  /** Differences after which it ends. */
  mostDifferences?: number
  /**
   * Ends it with an error that says how far it came: a run that its time limit ends shows nothing
   * else.
   */
  signal?: AbortSignal
  onCall?: (done: number, differences: number) => void
}

export interface Difference {
  difference: string
  seed: number
  /** Number of queries before the call that shows it. */
  query: number
  /** The simplest request that shows it. */
  request: RandomRequest
  person: RandomPerson
}

export interface DifferentialOutcome {
  queries: number
  /** Queries whose answers had rows. */
  answered: number
  differences: Difference[]
}

/** Asks Salus and the reference the same random questions about the same random people. */
export async function runDifferential(
  salus: Harness,
  { queries, seed, queriesAPerson = 500, mostDifferences = 1, signal, onCall }: DifferentialOptions,
): Promise<DifferentialOutcome> {
  const random = createSeededRandom(seed)
  const startedAt = performance.now()
  const outcome: DifferentialOutcome = { queries: 0, answered: 0, differences: [] }
  let asked: AskedPerson | undefined
  while (outcome.queries < queries && outcome.differences.length < mostDifferences) {
    if (asked === undefined || outcome.queries % queriesAPerson === 0) {
      asked = await makePerson(salus, random)
    }
    const count = Math.min(QUERIES_A_CALL, queries - outcome.queries)
    const request = randomRequest(random, asked.person, count)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const run = `seed ${seed}, query ${outcome.queries} of ${queries}, after ${seconds} s`
    if (signal?.aborted) throw reportEnd(`stopped at ${run}`, signal.reason)
    try {
      await compareRequest(salus, asked, request, outcome, seed)
    } catch (error) {
      throw reportEnd(`failed at ${run}: ${JSON.stringify(request)}`, error)
    }
    outcome.queries += count
    onCall?.(outcome.queries, outcome.differences.length)
  }
  return outcome
}

/** On stderr too: a test that ran out of time has reported its failure already. */
function reportEnd(message: string, cause: unknown): Error {
  const text = `The comparison with the reference ${message}`
  process.stderr.write(`${text}\n`)
  return new Error(text, { cause })
}

interface AskedPerson {
  userId: string
  person: RandomPerson
}

async function makePerson(salus: Harness, random: SeededRandom): Promise<AskedPerson> {
  const person = randomPerson(random)
  const userId = await salus.makeUser()
  const { pool } = salus.database
  const { rows } = await pool.query(
    'update users set fallback_time_zone = $2 where id = $1 returning environment_id',
    [userId, person.target.fallbackZone],
  )
  const environmentId = rows[0].environment_id as string
  await storePersonData(salus.clickhouse, { environmentId, userId }, person.data)
  await storeTarget(salus, environmentId, userId, person)
  return { userId, person }
}

/** Priorities of the team, devices of the person, and the time it is. */
async function storeTarget(
  salus: Harness,
  environmentId: string,
  userId: string,
  { target }: RandomPerson,
): Promise<void> {
  const { pool } = salus.database
  await pool.query('delete from team_source_priorities')
  for (const [dataType, ofType] of Object.entries(target.priorities)) {
    for (const [provider, priority] of Object.entries(ofType)) {
      await pool.query(
        `insert into team_source_priorities
          (environment_id, data_type, provider, resource, source_type, priority, updated_at)
        values ($1, $2, $3, '', '', $4, now())`,
        [environmentId, dataType, provider, priority],
      )
    }
  }
  for (const [provider, id] of Object.entries(target.devices)) {
    await pool.query(
      `insert into devices
        (environment_id, user_id, id, provider, source_type, identity, created_at)
      values ($1, $2, $3, $4, 'watch', 'only', now())`,
      [environmentId, userId, id, provider],
    )
  }
  target.now = salus.clock.now().getTime()
}

async function compareRequest(
  salus: Harness,
  asked: AskedPerson,
  request: RandomRequest,
  outcome: DifferentialOutcome,
  seed: number,
): Promise<void> {
  const answers = await ask(salus, asked.userId, request)
  for (const [at, query] of request.queries.entries()) {
    const answer =
      typeof answers === 'string' ? await askOne(salus, asked, request, query) : answers[at]
    const difference = differenceOf(asked, request, query, answer as WireAnswer | string)
    if (typeof answer === 'object' && Object.values(answer)[0]?.length !== 0) outcome.answered++
    if (difference === undefined) continue
    const simple = await simplifyQuery(query, async (simpler) => {
      const other = await askOne(salus, asked, request, simpler)
      // A question that fails in another way is another matter.
      if (refusalOf(other) !== refusalOf(answer)) return false
      return safeDifferenceOf(asked, request, simpler, other) !== undefined
    })
    const simpleAnswer = await askOne(salus, asked, request, simple)
    const sent = safeDifferenceOf(asked, request, simple, simpleAnswer) ?? difference
    outcome.differences.push({
      difference: sent,
      seed,
      query: outcome.queries,
      request: { ...request, queries: [simple] },
      person: asked.person,
    })
  }
}

/** Tables in the order of the queries, or why there are none. */
async function ask(
  salus: Harness,
  userId: string,
  request: RandomRequest,
): Promise<WireAnswer[] | string> {
  const url = `/aggregate/v1/user/${userId}/query`
  try {
    const { status, body, text } = await salus.call('POST', url, request)
    if (status !== 200) return `${status} ${text}`
    return body.results.map(({ table }: { table: WireAnswer }) => table)
  } catch (error) {
    if (error instanceof SyntaxError) return '200 with a body that is no JSON'
    throw error
  }
}

async function askOne(
  salus: Harness,
  { userId }: AskedPerson,
  request: RandomRequest,
  query: WireQuery,
): Promise<WireAnswer | string> {
  const answers = await ask(salus, userId, { ...request, queries: [query] })
  return typeof answers === 'string' ? answers : (answers[0] as WireAnswer)
}

function differenceOf(
  { person }: AskedPerson,
  { timeframe, config = {} }: RandomRequest,
  query: WireQuery,
  answer: WireAnswer | string,
): string | undefined {
  if (typeof answer === 'string') return `refused: ${answer}`
  return findDifference(answerQuery(person.data, query, timeframe, config, person.target), answer)
}

/** Status and types of errors, or undefined for an answer. */
function refusalOf(answer: WireAnswer | string | undefined): string | undefined {
  if (typeof answer !== 'string') return undefined
  const types = answer.match(/"(type|error_type)":"\w+"/g) ?? []
  return [answer.slice(0, 3), ...types].join(' ')
}

/** What the reference cannot answer is no valid query, so neither is wrong. */
function safeDifferenceOf(...question: Parameters<typeof differenceOf>): string | undefined {
  try {
    return differenceOf(...question)
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const [queries = '50000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2)
  const salus = await createHarness()
  const start = performance.now()
  const outcome = await runDifferential(salus, {
    queries: Number(queries),
    seed: Number(seed),
    mostDifferences: 5,
    onCall: (done, differences) => {
      if (done % 1000 === 0) process.stderr.write(`${done} queries, ${differences} differ\n`)
    },
  })
  for (const { difference, request, person } of outcome.differences) {
    const { fallbackZone, priorities } = person.target
    const about = { difference, ...request, fallbackZone, priorities }
    process.stdout.write(`${JSON.stringify(about)}\n`)
  }
  const seconds = (performance.now() - start) / 1000
  const summary = {
    seed: Number(seed),
    queries: outcome.queries,
    answered: outcome.answered,
    differences: outcome.differences.length,
    perSecond: Math.round(outcome.queries / seconds),
  }
  process.stdout.write(`${JSON.stringify(summary)}\n`)
  await salus.close()
  process.exitCode = outcome.differences.length > 0 ? 1 : 0
}
