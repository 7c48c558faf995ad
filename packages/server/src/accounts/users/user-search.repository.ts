import { type RawBuilder, sql } from 'kysely'
import { escapeLike } from '../../platform/postgres/like-pattern.ts'
import type { Scope } from '../../platform/scope.ts'
import { selectUsers, type UserRow } from './users.repository.ts'
import type { ConnectionStatus } from './users.tables.ts'

export interface UserSearchFilter {
  /** What was looked for, in lower case; empty for everybody. */
  text: string
  /** Its words; each must be found in the same record. */
  words: readonly string[]
  /** People whom other domains know by these words. */
  foundElsewhere: readonly string[]
  provider: string | null
  status: ConnectionStatus | null
}

/** Where a page begins: behind this person. */
export interface UserPosition {
  isExact: boolean
  createdAt: string
  id: string
}

export type FoundUserRow = UserRow & {
  position: string
  is_exact: boolean
  first_name: string | null
  last_name: string | null
  email: string | null
}

/** People who match, one whose client_user_id is the text first, then the newest. */
export function findUsers(
  scope: Scope,
  filter: UserSearchFilter,
  page: { after: UserPosition | null; limit: number },
): Promise<FoundUserRow[]> {
  const isExact = sql<boolean>`(lower(users.client_user_id) = ${filter.text})`
  const { after } = page
  let query = selectUsers(scope)
    .leftJoin('user_demographics as known', (join) =>
      join
        .onRef('known.environment_id', '=', 'users.environment_id')
        .onRef('known.user_id', '=', 'users.id'),
    )
    .select([
      isExact.as('is_exact'),
      sql<string>`users.created_at::text`.as('position'),
      sql<string | null>`known.info ->> 'first_name'`.as('first_name'),
      sql<string | null>`known.info ->> 'last_name'`.as('last_name'),
      sql<string | null>`known.info ->> 'email'`.as('email'),
    ])
    .where(isMatch(scope, filter))
  if (after !== null) {
    const position = sql`${after.createdAt}::timestamptz, ${after.id}::uuid`
    // Everybody is listed in the order of an index, which knows nothing of exactness.
    query = query.where(
      filter.text === ''
        ? sql<boolean>`(users.created_at, users.id) < (${position})`
        : sql<boolean>`(${isExact}, users.created_at, users.id) < (${after.isExact}::boolean, ${position})`,
    )
  }
  if (filter.text !== '') query = query.orderBy(isExact, 'desc')
  return query
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc')
    .limit(page.limit)
    .execute()
}

export async function countFoundUsers(scope: Scope, filter: UserSearchFilter): Promise<number> {
  const { total } = await scope.db
    .selectFrom('users')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('environment_id', '=', scope.environment.id)
    .where('deleted_at', 'is', null)
    .where(isMatch(scope, filter))
    .executeTakeFirstOrThrow()
  return total
}

function isMatch({ environment }: Scope, filter: UserSearchFilter): RawBuilder<boolean> {
  const { text, words, foundElsewhere, provider, status } = filter
  const conditions: RawBuilder<unknown>[] = []
  if (text !== '') {
    const inEnvironment = sql`environment_id = ${environment.id}::uuid`
    // One index each: a condition over both tables would read them whole.
    conditions.push(sql`users.id in (
      select id from users
      where ${inEnvironment} and deleted_at is null and ${hasWords('client_user_id', words, 'ilike')}
      union all
      select user_id from user_demographics
      where ${inEnvironment} and ${hasWords('search_text', words, 'like')}
      union all
      select unnest(${[...foundElsewhere]}::uuid[])
      ${unionOfIds(text, inEnvironment)}
    )`)
  }
  if (provider !== null || status !== null) {
    conditions.push(sql`exists (
      select from connections
      where connections.environment_id = users.environment_id and connections.user_id = users.id
        and ${provider === null ? sql`true` : sql`provider = ${provider}`}
        and ${status === null ? sql`status <> 'deregistered'` : sql`status = ${status}`}
    )`)
  }
  return conditions.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

function hasWords(column: string, words: readonly string[], operator: 'like' | 'ilike') {
  const like = sql.raw(operator)
  const patterns = words.map((word) => `%${escapeLike(word)}%`)
  return sql.join(
    patterns.map((pattern) => sql`${sql.ref(column)} ${like} ${pattern}`),
    sql` and `,
  )
}

const BEGINNING_OF_ID =
  /^[0-9a-f]{4,8}$|^[0-9a-f]{8}(-[0-9a-f]{0,4}){1,3}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{0,12}$/

/** People whose id begins so, as a range of the primary key. */
function unionOfIds(text: string, inEnvironment: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!BEGINNING_OF_ID.test(text)) return sql``
  const digits = text.replaceAll('-', '')
  const [first, last] = ['0', 'f'].map((digit) => digits.padEnd(32, digit))
  return sql`union all
    select id from users where ${inEnvironment} and id between ${first}::uuid and ${last}::uuid`
}
