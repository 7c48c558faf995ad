import { escapeLike } from '@salus/kernel/postgres/like-pattern'
import type { Scope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import type { UserOrderKey } from './user-search.schema.ts'
import { selectUsers, type UserRow } from './users.repository.ts'

/**
 * Users whom the words find: these ids and, with `words`, so many more that each row is checked.
 */
export type WordMatch = { ids: readonly string[]; words?: readonly string[] } | 'everybody'

export interface UserSearchFilter {
  match: WordMatch
  /** Ids of the only users that match; null for any. */
  onlyIds: readonly string[] | null
  /** Id of a user who is already shown above the others. */
  withoutId: string | null
  /** Undefined: with or without connections. */
  isConnected: RawBuilder<boolean> | undefined
  /** Bounds of the creation; the second is excluded. */
  createdFrom: Date | null
  createdBefore: Date | null
  /** The newest data were measured at or after the first, before the second; null for any. */
  dataFrom: Date | null
  dataBefore: Date | null
  needsAttention: boolean | null
  hasOpenOrders: boolean | null
}

/** Columns by which users are sorted; each has an index with the id behind it. */
const SORTED_BY: Readonly<Record<UserOrderKey, { column: string; type: string }>> = {
  created_at: { column: 'users.created_at', type: 'timestamptz' },
  name: { column: 'listed.sort_name', type: 'text collate "C"' },
  newest_data: { column: 'listed.newest_data_at', type: 'timestamptz' },
  attention: { column: 'listed.attention', type: 'integer' },
}

/** Start of a page: after this user. */
export interface UserPosition {
  /** Value of the column of the order, as PostgreSQL writes it. */
  value: string
  id: string
}

export interface UserPage {
  key: UserOrderKey
  direction: 'asc' | 'desc'
  after: UserPosition | null
  limit: number
}

export type FoundUserRow = UserRow & {
  position: string
  first_name: string | null
  last_name: string | null
  email: string | null
  newest_at: Date | null
  newest_data_resource: string | null
  failed_connections: number | null
  open_tasks: number | null
  open_orders: number | null
}

/** Returns users who match, in the order of the page. */
export function findUsers(
  scope: Scope,
  filter: UserSearchFilter,
  page: UserPage,
): Promise<FoundUserRow[]> {
  const { column, type } = SORTED_BY[page.key]
  const idOfRow = page.key === 'created_at' ? 'users.id' : 'listed.user_id'
  let query = selectUsers(scope)
    .leftJoin('user_demographics as known', (join) =>
      join
        .onRef('known.environment_id', '=', 'users.environment_id')
        .onRef('known.user_id', '=', 'users.id'),
    )
    .leftJoin('listed_users as listed', (join) =>
      join
        .onRef('listed.environment_id', '=', 'users.environment_id')
        .onRef('listed.user_id', '=', 'users.id'),
    )
    .select([
      sql<string>`${sql.ref(column)}::text`.as('position'),
      sql<string | null>`known.info ->> 'first_name'`.as('first_name'),
      sql<string | null>`known.info ->> 'last_name'`.as('last_name'),
      sql<string | null>`known.info ->> 'email'`.as('email'),
      sql<Date | null>`nullif(listed.newest_data_at, '-infinity')`.as('newest_at'),
      'listed.newest_data_resource',
      'listed.failed_connections',
      'listed.open_tasks',
      'listed.open_orders',
    ])
    .where(isMatch(scope, filter))
  if (page.key !== 'created_at') query = query.where(isListed(scope))
  if (page.after !== null) {
    const { value, id } = page.after
    const comes = sql.raw(page.direction === 'asc' ? '>' : '<')
    query = query.where(
      sql<boolean>`(${sql.ref(column)}, ${sql.ref(idOfRow)})
        ${comes} (${value}::${sql.raw(type)}, ${id}::uuid)`,
    )
  }
  return query
    .orderBy(sql.ref(column), page.direction)
    .orderBy(sql.ref(idOfRow), page.direction)
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
    left join listed_users listed
      on listed.environment_id = users.environment_id and listed.user_id = users.id
    where users.environment_id = ${environment.id}::uuid and users.deleted_at is null
      and ${isMatch({ environment }, filter)}
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

/** The condition of the indexes of `listed_users`. */
const isListed = ({ environment }: Pick<Scope, 'environment'>): RawBuilder<boolean> =>
  sql<boolean>`(listed.environment_id = ${environment.id}::uuid and listed.is_shown)`

/** Whether rows of `users` and of `listed_users`, named `listed`, match the filter. */
function isMatch(
  scope: Pick<Scope, 'environment'>,
  { match, ...filter }: UserSearchFilter,
): RawBuilder<boolean> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  const { dataFrom, dataBefore, needsAttention, hasOpenOrders } = filter
  const ofList = [dataFrom, dataBefore, needsAttention, hasOpenOrders]
  if (ofList.some((value) => value !== null)) conditions.push(isListed(scope))
  const add = <Value>(value: Value | null, condition: (value: Value) => RawBuilder<unknown>) => {
    if (value !== null) conditions.push(condition(value))
  }
  if (match !== 'everybody') {
    const { ids, words } = match
    const isOne = sql`users.id = any(${[...ids]}::uuid[])`
    conditions.push(words === undefined ? isOne : sql`(${isOne} or ${hasAnywhere(words)})`)
  }
  if (filter.isConnected !== undefined) conditions.push(filter.isConnected)
  add(filter.onlyIds, (ids) => sql`users.id = any(${[...ids]}::uuid[])`)
  add(filter.withoutId, (id) => sql`users.id <> ${id}::uuid`)
  add(filter.createdFrom, (at) => sql`users.created_at >= ${at}::timestamptz`)
  add(filter.createdBefore, (at) => sql`users.created_at < ${at}::timestamptz`)
  add(dataFrom, (at) => sql`listed.newest_data_at >= ${at}::timestamptz`)
  add(dataBefore, (at) => sql`listed.newest_data_at < ${at}::timestamptz`)
  add(needsAttention, (is) => (is ? sql`listed.attention > 0` : sql`listed.attention = 0`))
  add(hasOpenOrders, (has) => (has ? sql`listed.open_orders > 0` : sql`listed.open_orders = 0`))
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
