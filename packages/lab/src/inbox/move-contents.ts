import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { leastTimedId } from '@salus/kernel/ids'
import { holdBackups } from '@salus/kernel/postgres/between-backups.global.repository'
import type { Db } from '@salus/kernel/postgres/database'
import type { RowScope, Stores } from '@salus/kernel/scope'
import * as repository from './move-contents.global.repository.ts'

/** Time for which a message is left alone after it is over. */
const QUIET_MS = HOUR_MS
/** Messages that are over later, because an operator tried them again, stay in PostgreSQL. */
const LOOKED_AT_MS = 2 * DAY_MS
const MESSAGES_AT_ONCE = 500
/** Maximum bytes of contents that one move has in memory; a larger content stays. */
const MOST_BYTES = 16 * 1024 ** 2

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** After every id that begins with a time of this century; messages of old versions have others. */
const END_OF_TIMED_IDS = '04000000-0000-0000-0000-000000000000'

type MoveStores = Pick<Stores, 'db' | 'clickhouse' | 'clock'>

/**
 * Moves the contents of messages that are over from PostgreSQL to ClickHouse. Each move stores them
 * first, and they count when the transaction commits that removes them from PostgreSQL, so that a
 * crash loses nothing. What it leaves in ClickHouse is replaced by the next move, or removed with
 * the message.
 * @returns number of messages
 */
export async function moveContents(
  stores: MoveStores,
  signal: AbortSignal,
  { atOnce = MESSAGES_AT_ONCE } = {},
): Promise<number> {
  let moved = 0
  for (const direction of ['received', 'sent'] as const) {
    const lookedUntil = await repository.findLookedUntil(stores.db, direction)
    if (lookedUntil === undefined) continue
    const next = leastTimedId(LOOKED_AT_MS)
    const range = {
      before: lookedUntil === null ? LAST_ID : END_OF_TIMED_IDS,
      quietSince: new Date(stores.clock.now().getTime() - QUIET_MS),
      limit: atOnce,
      mostBytes: MOST_BYTES,
    }
    for (let after: string | undefined = lookedUntil ?? FIRST_ID; after !== undefined; ) {
      if (signal.aborted) return moved
      const done: MoveDone = await moveSome(stores, direction, { ...range, after })
      moved += done.messages
      after = done.last
    }
    await repository.saveLookedUntil(stores.db, direction, next)
  }
  return moved
}

interface MoveDone {
  messages: number
  /** Id of the last message that was looked at; undefined at the end. */
  last: string | undefined
}

function moveSome(
  { db, clickhouse }: MoveStores,
  direction: repository.Direction,
  range: repository.ContentsToFind,
): Promise<MoveDone> {
  return db.transaction().execute(async (transaction) => {
    await holdBackups(transaction)
    const ids = await repository.listIdsToMove(transaction, direction, range)
    if (ids.length === 0) return { messages: 0, last: undefined }
    const contents = await repository.lockContents(transaction, direction, ids)
    if (contents.length > 0) {
      await repository.insertContents(clickhouse, contents)
      const moved = contents.map(({ id }) => id)
      await repository.releaseContents(transaction, direction, moved)
    }
    return { messages: contents.length, last: ids.at(-1) }
  })
}

const REMOVED_AT_ONCE = 5_000

/** Erases the contents of removed messages of all environments. */
export async function eraseRemovedContents(
  { db, clickhouse }: Pick<Stores, 'db' | 'clickhouse'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await eraseSome(db, clickhouse)) === REMOVED_AT_ONCE);
}

/**
 * Erases the contents of the removed messages of one environment, also of those that the
 * transaction itself removes; they no longer exist when this returns.
 */
export async function eraseRemovedOf(
  { db, environment }: RowScope,
  clickhouse: ClickHouse,
): Promise<void> {
  while ((await eraseSome(db, clickhouse, environment.id)) === REMOVED_AT_ONCE);
}

async function eraseSome(db: Db, clickhouse: ClickHouse, environmentId?: string): Promise<number> {
  const of = environmentId === undefined ? {} : { environmentId }
  const removed = await repository.listRemoved(db, { ...of, limit: REMOVED_AT_ONCE })
  if (removed.length === 0) return 0
  await repository.eraseContents(clickhouse, removed)
  await repository.forgetRemoved(db, removed)
  return removed.length
}
