import type { RowScope, Scope } from '@salus/kernel/scope'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { PayorsTable } from '../insurance.tables.ts'
import type { FederalCode, PayorProvider } from './payors.schema.ts'

export type PayorRow = Selectable<PayorsTable>

/** Filters payors; omitted properties do not filter. */
export interface PayorFilter {
  /** Every word must be in the name or an alias, in one of its spellings. */
  words?: readonly (readonly string[])[]
  provider?: PayorProvider | undefined
  /** At the provider, or at any provider when none is given. */
  externalId?: string | undefined
}

/** SQL condition for payors of the installation that the environment may see, and its own. */
function isVisible({ environment }: Scope): RawBuilder<boolean> {
  const isSandbox = environment.kind === 'sandbox'
  return sql<boolean>`(is_active and (
    environment_id = ${environment.id}::uuid
    or (environment_id is null and (not is_sample or ${isSandbox}::boolean))
  ))`
}

/** SQL condition for a name with the word; one or two letters must begin a word. */
function holdsWord(spellings: readonly string[]): RawBuilder<boolean> {
  const patterns = spellings.map((word) => (word.length < 3 ? `% ${word}%` : `%${word}%`))
  // One LIKE uses the trigram index better than an array of one.
  const [only = '', ...others] = patterns
  return others.length === 0
    ? sql<boolean>`search_text like ${only}`
    : sql<boolean>`search_text like any(${patterns}::text[])`
}

function hasExternalId({ provider, externalId }: PayorFilter): RawBuilder<boolean>[] {
  if (externalId === undefined) {
    return provider === undefined ? [] : [sql<boolean>`external_ids ? ${provider}`]
  }
  if (provider === undefined) {
    return [
      sql<boolean>`exists (select 1 from jsonb_each(external_ids) as known where known.value ? ${externalId})`,
    ]
  }
  return [sql<boolean>`external_ids @> ${JSON.stringify({ [provider]: [externalId] })}::jsonb`]
}

/**
 * Returns payors that match, best first: by name, by alias, by the beginning of the name, by words
 * in this order, by words in any order; then the shorter name.
 */
export async function searchPayors(
  scope: Scope,
  filter: PayorFilter,
  phrase: string,
  limit: number,
): Promise<PayorRow[]> {
  const conditions = [
    isVisible(scope),
    ...(filter.words ?? []).map(holdsWord),
    ...hasExternalId(filter),
  ]
  const { rows } = await sql<PayorRow>`
    select * from payors where ${sql.join(conditions, sql` and `)}
    order by case
        when starts_with(search_text, ${`| ${phrase} |`}) then 0
        when search_text like ${`%| ${phrase} |%`} then 1
        when starts_with(search_text, ${`| ${phrase}`}) then 2
        when search_text like ${`% ${phrase}%`} then 3
        else 4
      end, length(name), name, payor_code
    limit ${limit}`.execute(scope.db)
  return rows
}

/** Least trigram similarity of a word to a text. */
const LEAST_SIMILARITY = '0.15'
const MOST_WORDS = 200

/** Returns words of names and aliases that are similar to this one. */
export function listSimilarWords(scope: Scope, word: string): Promise<string[]> {
  // The transaction limits the lowered threshold of similarity.
  return scope.transaction(async (tx) => {
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${LEAST_SIMILARITY}, true)`.execute(
      tx.db,
    )
    const { rows } = await sql<{ word: string }>`
      select word from payors, string_to_table(search_text, ' ') as word
      where ${isVisible(tx)} and ${word} <% search_text and length(word) >= ${word.length - 2}
      group by word having similarity(word, ${word}) >= ${LEAST_SIMILARITY}::real
      order by similarity(word, ${word}) desc, word limit ${MOST_WORDS}`.execute(tx.db)
    return rows.map((row) => row.word)
  })
}

/** Returns an active payor of the installation, or one that the environment added. */
export async function findPayor(scope: Scope, payorCode: string): Promise<PayorRow | undefined> {
  const { rows } = await sql<PayorRow>`
    select * from payors where payor_code = ${payorCode} and ${isVisible(scope)}`.execute(scope.db)
  return rows[0]
}

/** Returns the plan for a federal code in a state. */
export async function findFederalPlan(
  scope: Scope,
  code: FederalCode,
  state: string,
): Promise<PayorRow | undefined> {
  const { rows } = await sql<PayorRow>`
    select * from payors
    where federal_code = ${code} and ${state} = any(plan_states) and ${isVisible(scope)}
    -- the operator's before that of the samples
    order by is_sample, payor_code limit 1`.execute(scope.db)
  return rows[0]
}

/** Returns the payor of a policy, also when it was deactivated since. */
export function getPayorOfPolicy({ db }: RowScope, payorId: string): Promise<PayorRow> {
  return db.selectFrom('payors').selectAll().where('id', '=', payorId).executeTakeFirstOrThrow()
}

export type NewPayor = Omit<PayorRow, 'environment_id' | 'address' | 'external_ids'> & {
  address: string
  external_ids: string
}

/**
 * Inserts a payor of the environment. Returns undefined when it exists already, or when the code is
 * taken.
 */
export function insertOwnPayor(
  { db, environment }: RowScope,
  payor: NewPayor,
): Promise<PayorRow | undefined> {
  return db
    .insertInto('payors')
    .values({ ...payor, environment_id: environment.id })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Returns a payor that the environment added; `identity` is equal for equal payors. */
export function findOwnPayor(
  { db, environment }: RowScope,
  identity: string,
): Promise<PayorRow | undefined> {
  return db
    .selectFrom('payors')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('identity', '=', identity)
    .executeTakeFirst()
}
