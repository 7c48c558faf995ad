import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '@salus/kernel/errors'
import type pg from 'pg'

/** Buckets that are moved together; see the migration of the table. */
export interface ShardMove {
  id: string
  from_shard: number
  to_shard: number
  buckets: number[]
  id_bytes: number[]
  state: 'copying' | 'held' | 'switching' | 'moved'
  people: number
  rows: number
  bytes: number
}

/** Version of the data of a person: another one after every write. */
interface PersonVersion {
  environment_id: string
  user_id: string
  version: string
}

/** Arbitrary constant: only one process moves people. */
const MOVER_LOCK = 7_258_716_129

/** Returns false when another process moves people; the lock ends with the connection. */
export async function tryMoverLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is_mine: boolean }>(
    'select pg_try_advisory_lock($1) as is_mine',
    [MOVER_LOCK],
  )
  return rows[0]?.is_mine ?? false
}

export async function releaseMoverLock(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [MOVER_LOCK])
}

const COLUMNS = `id, from_shard, to_shard, buckets, id_bytes, state,
  people::float8, rows::float8, bytes::float8`

/** Returns the moves that are not complete, oldest first. */
export async function listMoves(pool: pg.Pool): Promise<ShardMove[]> {
  const { rows } = await pool.query<ShardMove>(
    `select ${COLUMNS} from shard_moves order by created_at, id`,
  )
  return rows
}

export async function insertMove(pool: pg.Pool, move: ShardMove, at: Date): Promise<void> {
  const { id, from_shard, to_shard, buckets, id_bytes, state } = move
  await pool.query(
    `insert into shard_moves (id, from_shard, to_shard, buckets, id_bytes, state, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, from_shard, to_shard, buckets, id_bytes, state, at],
  )
}

export async function setState(
  pool: pg.Pool,
  id: string,
  state: ShardMove['state'],
): Promise<void> {
  await pool.query('update shard_moves set state = $2, held_until = null where id = $1', [
    id,
    state,
  ])
}

export async function saveCounts(
  pool: pg.Pool,
  { id, people, rows, bytes }: Pick<ShardMove, 'id' | 'people' | 'rows' | 'bytes'>,
): Promise<void> {
  await pool.query(
    'update shard_moves set people = $2::float8, rows = $3::float8, bytes = $4::float8 where id = $1',
    [id, people, rows, Math.round(bytes)],
  )
}

export async function deleteMoves(pool: pg.Pool, ids: readonly string[]): Promise<void> {
  await pool.query('delete from shard_moves where id = any ($1)', [ids])
}

/** Refuses new writes for the people of a move for a time, after which the hold ends by itself. */
export async function holdPeople(pool: pg.Pool, id: string, seconds: number): Promise<void> {
  await pool.query(
    `update shard_moves set state = 'held', held_until = clock_timestamp() + $2 * interval '1 second'
    where id = $1`,
    [id, seconds],
  )
  // A statement that began before the hold has ended when the lock is available.
  await withTableLock(pool, 'lock table day_writes in share mode')
}

/** From here on the move goes forward only. Returns false when the hold had ended. */
export async function beginSwitch(pool: pg.Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update shard_moves set state = 'switching', held_until = null
    where id = $1 and state = 'held' and held_until > clock_timestamp()`,
    [id],
  )
  return rowCount === 1
}

/** Returns the number of writes under way for the people of a move. */
export async function countWrites(pool: pg.Pool, idBytes: readonly number[]): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int from day_writes
    where get_byte(uuid_send(user_id), 15) = any ($1)
      and user_id <> '00000000-0000-0000-0000-000000000000'`,
    [idBytes],
  )
  return rows[0]?.count ?? 0
}

/** Returns the versions of the data of people by the last bytes of their ids. */
export async function listVersions(
  pool: pg.Pool,
  idBytes: readonly number[],
): Promise<PersonVersion[]> {
  const { rows } = await pool.query<PersonVersion>(
    `select environment_id, user_id, version from data_versions
    where get_byte(uuid_send(user_id), 15) = any ($1)
      and user_id <> '00000000-0000-0000-0000-000000000000'`,
    [idBytes],
  )
  return rows
}

/** Makes the beginning of each write look for moves. It costs nothing while there are none. */
export async function createHoldTrigger(pool: pg.Pool): Promise<void> {
  await withTableLock(
    pool,
    `create or replace trigger hold_people before insert on day_writes
    for each row execute function refuse_held_people()`,
  )
}

export async function dropHoldTrigger(pool: pg.Pool): Promise<void> {
  await withTableLock(pool, 'drop trigger if exists hold_people on day_writes')
}

const LOCK_ATTEMPTS = 120
const BETWEEN_ATTEMPTS_MS = 250
const LOCK_NOT_AVAILABLE = '55P03'

/** Runs a statement that waits for a lock: not for long, because writes would wait behind it. */
async function withTableLock(pool: pg.Pool, statement: string): Promise<void> {
  for (let attempt = 1; attempt <= LOCK_ATTEMPTS; attempt += 1) {
    const client = await pool.connect()
    try {
      await client.query(`begin; set local lock_timeout = '500ms'`)
      await client.query(statement)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    } finally {
      client.release()
    }
    await sleep(BETWEEN_ATTEMPTS_MS)
  }
  throw new StartupError(
    'Uploads cannot be paused for a moment, because a transaction has been running for a minute.',
  )
}
