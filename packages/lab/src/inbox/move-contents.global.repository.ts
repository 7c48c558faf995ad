import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { eraseRowsIfAny, type PersonRows, rowsOfPeople } from '@salus/kernel/clickhouse/remove-rows'
import type { Db } from '@salus/kernel/postgres/database'
import { type RawBuilder, sql } from 'kysely'

/** Contents of all environments move together, since each insert into ClickHouse makes files. */

export type Direction = 'received' | 'sent'

const TABLES = { received: 'lab_messages', sent: 'lab_outgoing_messages' } as const
const ANSWERS = { received: sql`null::bytea`, sent: sql`answer_content` } as const
const TIMES = { received: sql`received_at`, sent: sql`message.created_at` } as const

/**
 * Whether a message is over: it can be read, and sent again, but nothing waits for it. An answer
 * without bytes would look like none after a move.
 */
function isOver(direction: Direction, quietSince: Date): RawBuilder<boolean> {
  return direction === 'received'
    ? sql`(state not in ('waiting', 'failed') and greatest(received_at, processed_at) < ${quietSince})`
    : sql`(state <> 'waiting' and (answer_content is null or octet_length(answer_content) > 0)
        and greatest(created_at, attempted_at, answered_at, resent_at) < ${quietSince})`
}

/** Time for which nothing is moved after the first start of a version that moves contents. */
const WAIT_FOR_OLD_PROCESSES = sql`interval '1 hour'`

/**
 * Returns where the next look begins, null for the first; undefined while processes of the version
 * before may read.
 */
export async function findLookedUntil(
  db: Db,
  direction: Direction,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ looked_until: string | null }>`
    select looked_until from lab_message_moves
    where direction = ${direction} and created_at < now() - ${WAIT_FOR_OLD_PROCESSES}`.execute(db)
  return rows[0]?.looked_until
}

export async function saveLookedUntil(db: Db, direction: Direction, until: string): Promise<void> {
  await sql`update lab_message_moves set looked_until = ${until} where direction = ${direction}`.execute(
    db,
  )
}

export interface ContentsToFind {
  /** Ids after the one and before the other. */
  after: string
  before: string
  quietSince: Date
  limit: number
  /** Of all contents together; one that is larger alone stays. */
  mostBytes: number
}

/** Returns the ids of the next messages that are over and have their content in PostgreSQL. */
export async function listIdsToMove(
  db: Db,
  direction: Direction,
  { after, before, quietSince, limit, mostBytes }: ContentsToFind,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with found as (
      select id, octet_length(content) + coalesce(octet_length(${ANSWERS[direction]}), 0) as bytes
      from ${sql.table(TABLES[direction])}
      where id > ${after} and id < ${before} and environment_id is not null
        and moved_bytes is null and octet_length(content) between 1 and ${mostBytes}
        and ${isOver(direction, quietSince)}
      order by id limit ${limit}
    )
    select id from (select id, sum(bytes) over (order by id) - bytes as before from found) sums
    where before < ${mostBytes} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export interface MessageContent {
  environment_id: string
  id: string
  /** Null for a message without an order. */
  user_id: string | null
  at: Date
  content: Buffer
  answer: Buffer | null
}

/**
 * Returns messages with their contents, locked until the transaction ends, without those that
 * another one has locked or moved.
 */
export async function lockContents(
  db: Db,
  direction: Direction,
  ids: readonly string[],
): Promise<MessageContent[]> {
  const { rows } = await sql<MessageContent>`
    select message.environment_id, message.id, orders.user_id, ${TIMES[direction]} as at, content,
      ${ANSWERS[direction]} as answer
    from ${sql.table(TABLES[direction])} as message
    left join orders on orders.environment_id = message.environment_id
      and orders.id = message.order_id
    where message.id = any(${[...ids]}::uuid[]) and moved_bytes is null
    for update of message skip locked`.execute(db)
  return rows
}

const TABLE = 'lab_message_contents'
const COLUMNS = ['environment_id', 'id', 'user_id', 'at', 'content', 'answer'] as const
const NO_PERSON = '00000000-0000-0000-0000-000000000000'
// A carriage return before the end of a row would be read as a part of the end.
const ESCAPES = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' } as const

/** Returns bytes as a field of TabSeparated, in a text of one character for each byte. */
const fieldOf = (bytes: Buffer | null): string =>
  bytes === null
    ? ''
    : bytes
        .toString('latin1')
        .replace(/[\\\t\n\r]/g, (character) => ESCAPES[character as keyof typeof ESCAPES])

/** Stores contents; durable when it returns. */
export async function insertContents(
  clickhouse: ClickHouse,
  contents: readonly MessageContent[],
): Promise<void> {
  const lines = contents.map(({ environment_id: environmentId, id, user_id: userId, ...row }) => {
    const of = [environmentId, id, userId ?? NO_PERSON, (row.at.getTime() / 1000).toFixed(3)]
    return `${[...of, fieldOf(row.content), fieldOf(row.answer)].join('\t')}\n`
  })
  await clickhouse.insert(TABLE, COLUMNS, Buffer.from(lines.join(''), 'latin1'))
}

/** Removes contents from PostgreSQL; from then on those of ClickHouse count. */
export async function releaseContents(
  db: Db,
  direction: Direction,
  ids: readonly string[],
): Promise<void> {
  const answer = sql`, answer_content = null`
  await sql`update ${sql.table(TABLES[direction])}
    set moved_bytes = octet_length(content), content = ''${direction === 'sent' ? answer : sql``}
    where id = any(${[...ids]}::uuid[])`.execute(db)
}

/** Returns messages that were removed while their contents may be in ClickHouse. */
export async function listRemoved(
  db: Db,
  { environmentId, limit }: { environmentId?: string; limit: number },
): Promise<{ environment_id: string; id: string }[]> {
  const { rows } = await sql<{ environment_id: string; id: string }>`
    select environment_id, id from removed_lab_messages
    ${environmentId === undefined ? sql`` : sql`where environment_id = ${environmentId}`}
    order by environment_id, id limit ${limit}`.execute(db)
  return rows
}

export async function forgetRemoved(
  db: Db,
  removed: readonly { environment_id: string; id: string }[],
): Promise<void> {
  const environments = removed.map(({ environment_id: environmentId }) => environmentId)
  const ids = removed.map(({ id }) => id)
  await sql`delete from removed_lab_messages where (environment_id, id)
    in (select * from unnest(${environments}::uuid[], ${ids}::uuid[]))`.execute(db)
}

const IS_REMOVED = `(environment_id, id)
  in arrayZip({environmentIds:Array(UUID)}, {ids:Array(UUID)})`

/** Removes contents with their bytes. */
export async function eraseContents(
  clickhouse: ClickHouse,
  removed: readonly { environment_id: string; id: string }[],
): Promise<void> {
  const parameters = {
    environmentIds: removed.map(({ environment_id: environmentId }) => environmentId),
    ids: removed.map(({ id }) => id),
  }
  await eraseRowsIfAny(clickhouse, { table: TABLE, condition: IS_REMOVED, parameters })
}

/** Removes the contents of messages about users; they no longer exist when this returns. */
export async function eraseContentsOfPeople(
  clickhouse: ClickHouse,
  people: readonly PersonRows[],
): Promise<void> {
  await eraseRowsIfAny(clickhouse, { table: TABLE, ...rowsOfPeople(people) })
}
