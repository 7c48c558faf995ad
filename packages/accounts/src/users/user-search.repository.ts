import { escapeLike } from '@salus/kernel/postgres/like-pattern'
import type { Scope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import { selectUsers, type UserRow } from './users.repository.ts'

/**
 * Users whom the words find: these ids and, with `words`, so many more that each row is checked.
 */
export type WordMatch = { ids: readonly string[]; words?: readonly string[] } | 'everybody'

export interface UserSearchFilter {
  match: WordMatch
  /** Id of a user who is already shown above the others. */
  withoutId: string | null
  /** Undefined: with or without connections. */
  isConnected: RawBuilder<boolean> | undefined
}

/** Start of a page: after this user. */
export interface UserPosition {
  createdAt: string
  id: string
}

export type FoundUserRow = UserRow & {
  position: string
  first_name: string | null
  last_name: string | null
  email: string | null
}

/** Returns users who match, the newest first. */
export function findUsers(
  scope: Scope,
  filter: UserSearchFilter,
  page: { after: UserPosition | null; limit: number },
): Promise<FoundUserRow[]> {
  let query = selectUsers(scope)
    .leftJoin('user_demographics as known', (join) =>
      join
        .onRef('known.environment_id', '=', 'users.environment_id')
        .onRef('known.user_id', '=', 'users.id'),
    )
    .select([
      sql<string>`users.created_at::text`.as('position'),
      sql<string | null>`known.info ->> 'first_name'`.as('first_name'),
      sql<string | null>`known.info ->> 'last_name'`.as('last_name'),
      sql<string | null>`known.info ->> 'email'`.as('email'),
    ])
    .where(isMatch(filter))
  if (page.after !== null) {
    const { createdAt, id } = page.after
    query = query.where(
      sql<boolean>`(users.created_at, users.id) < (${createdAt}::timestamptz, ${id}::uuid)`,
    )
  }
  return query
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc')
    .limit(page.limit)
    .execute()
}

/** Counts the users who match, up to `most`. */
export async function countFoundUsers(
  { db, environment }: Scope,
  filter: UserSearchFilter,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from (
    select from users
    where users.environment_id = ${environment.id}::uuid and users.deleted_at is null
      and ${isMatch(filter)}
    limit ${most}
  ) found`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * Returns users whose client_user_id, or whose name and e-mail address, has all of the words, and
 * whose id begins with the text; deleted ones too, and each user once.
 */
export async function listUsersByWords(
  { db, environment }: Scope,
  { text, words, most }: { text: string; words: readonly string[]; most: number },
): Promise<string[]> {
  const inEnvironment = sql`environment_id = ${environment.id}::uuid`
  // Uses one index for each: a condition over both tables would read them completely.
  const { rows } = await sql<{ id: string }>`
    (select id from users
      where ${inEnvironment} and deleted_at is null and ${hasWords('client_user_id', words, 'ilike')}
      limit ${most})
    union
    (select user_id from user_demographics
      where ${inEnvironment} and ${hasWords('search_text', words, 'like')}
      limit ${most})
    ${unionOfIds(text, inEnvironment)}`.execute(db)
  return rows.map((row) => row.id)
}

/** Whether a row of `users` matches the filter. */
function isMatch({ match, withoutId, isConnected }: UserSearchFilter): RawBuilder<boolean> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (match !== 'everybody') {
    const { ids, words } = match
    const isOne = sql`users.id = any(${[...ids]}::uuid[])`
    conditions.push(words === undefined ? isOne : sql`(${isOne} or ${hasAnywhere(words)})`)
  }
  if (withoutId !== null) conditions.push(sql`users.id <> ${withoutId}::uuid`)
  if (isConnected !== undefined) conditions.push(isConnected)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

function hasAnywhere(words: readonly string[]): RawBuilder<unknown> {
  return sql`((${hasWords('users.client_user_id', words, 'ilike')}) or exists (
    select from user_demographics
    where user_demographics.environment_id = users.environment_id
      and user_demographics.user_id = users.id and ${hasWords('search_text', words, 'like')}
  ))`
}

function hasWords(column: string, words: readonly string[], operator: 'like' | 'ilike') {
  const like = sql.raw(operator)
  return sql.join(
    words.map((word) => sql`${sql.ref(column)} ${like} ${`%${escapeLike(word)}%`}`),
    sql` and `,
  )
}

const BEGINNING_OF_ID =
  /^[0-9a-f]{4,8}$|^[0-9a-f]{8}(-[0-9a-f]{4}){0,3}-[0-9a-f]{0,4}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{5,12}$/

/** Selects users whose id begins with the text, as a range of the primary key. */
function unionOfIds(text: string, inEnvironment: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!BEGINNING_OF_ID.test(text)) return sql``
  const digits = text.replaceAll('-', '')
  const [first, last] = ['0', 'f'].map((digit) => digits.padEnd(32, digit))
  return sql`union
    select id from users where ${inEnvironment} and id between ${first}::uuid and ${last}::uuid`
}
