import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterMoves } from '@salus/kernel/clickhouse/clickhouse'
import { ALL_KNOW_MS } from '@salus/kernel/clickhouse/cluster/bucket-moves'
import { BUCKETS_OF_SHARD, hasCopy, UNDER_WAY } from '@salus/kernel/clickhouse/cluster/placement'
import { StartupError } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Clock } from '@salus/kernel/time/clock'
import type pg from 'pg'
import { type MoveContext, moveBuckets, switchShard, untilServersAnswer } from './move-people.ts'
import {
  countMutations,
  countOlderStatements,
  dropHiddenRows,
  measureBuckets,
  measureTables,
  removeBuckets,
} from './people-rows.global.repository.ts'
import type { BucketSize, PlannedMove } from './plan-moves.ts'
import {
  createHoldTrigger,
  deleteMoves,
  dropHoldTrigger,
  insertMove,
  listMoves,
  releaseMoverLock,
  type ShardMove,
  tryMoverLock,
} from './shard-moves.global.repository.ts'

interface RunContext extends MoveContext {
  clock: Clock
}

interface RunResult {
  moves: number
  people: number
  rows: number
  bytes: number
}

const POLL_MS = 500

/** Returns the size of each bucket that has people, and of those that were moved. */
export async function measureShards(moves: ClusterMoves): Promise<BucketSize[]> {
  const bucketSql = await moves.bucketSql()
  const copies = new Map(
    (await moves.read()).filter(hasCopy).map(({ bucket, copy }) => [bucket, copy]),
  )
  const servers = Array.from({ length: moves.shards }, (_, shard) => moves.serverOf(shard).own)
  const tables = (await Promise.all(servers.map(measureTables))).flat()
  const bytesOfRow = new Map(
    [...Map.groupBy(tables, ({ name }) => name)].map(([name, same]) => {
      const sum = (key: 'bytes' | 'rows') => same.reduce((total, table) => total + table[key], 0)
      return [name, sum('bytes') / Math.max(1, sum('rows'))]
    }),
  )
  const sizes: BucketSize[] = []
  for (const [shard, own] of servers.entries()) {
    for (const [bucket, bytes] of await measureBuckets(own, bucketSql, bytesOfRow)) {
      if (copies.get(bucket) !== shard) sizes.push({ bucket, shard, bytes })
    }
  }
  return sizes
}

/**
 * Moves people, while they are served. Moves that an earlier run left are completed first.
 * @param plan Makes the plan, after those are complete.
 * @throws StartupError when another process moves people, or a server does not answer
 */
export async function runMoves(
  context: RunContext,
  plan: () => Promise<readonly PlannedMove[]>,
): Promise<RunResult> {
  const { pool, moves } = context
  const guard = await pool.connect()
  try {
    if (!(await tryMoverLock(guard))) {
      throw new StartupError('Another process moves people between shards. Wait until it ends.')
    }
    const results = [await complete(context, await takeUp(context))]
    const planned = await plan()
    const inserted: ShardMove[] = []
    for (const one of planned) inserted.push(await insert(context, one))
    results.push(await complete(context, inserted))
    await removeLeftCopies(moves)
    return results.reduce((sum, one) => ({
      moves: sum.moves + one.moves,
      people: sum.people + one.people,
      rows: sum.rows + one.rows,
      bytes: sum.bytes + one.bytes,
    }))
  } finally {
    await releaseMoverLock(guard).catch(() => {})
    guard.release(true)
  }
}

/** Completes switches that have begun, unless a process that moves people does so. */
export async function completeSwitches(pool: pg.Pool, moves: ClusterMoves): Promise<void> {
  const isBegun = ({ state }: ShardMove): boolean => state === 'switching'
  if (!(await listMoves(pool)).some(isBegun)) return
  const guard = await pool.connect()
  try {
    if (!(await tryMoverLock(guard))) return
    for (const move of (await takeUp({ pool, moves })).filter(isBegun)) {
      await switchShard({ pool, moves }, move)
    }
  } finally {
    await releaseMoverLock(guard).catch(() => {})
    guard.release(true)
  }
}

/** Returns the moves of an earlier run, without those of other stores, as after a restore. */
async function takeUp({ pool, moves }: Pick<RunContext, 'pool' | 'moves'>): Promise<ShardMove[]> {
  const known = await listMoves(pool)
  const records = await moves.read()
  const open = new Set(records.filter(hasCopy).map(({ bucket }) => bucket))
  const isOpen = ({ buckets }: ShardMove): boolean => buckets.some((bucket) => open.has(bucket))
  await deleteMoves(
    pool,
    known.filter((move) => !isOpen(move)).map(({ id }) => id),
  )
  return known.filter(isOpen)
}

async function insert(
  { pool, clock }: RunContext,
  { from, to, buckets }: PlannedMove,
): Promise<ShardMove> {
  const idBytes = [...new Set(buckets.map((bucket) => bucket % BUCKETS_OF_SHARD))]
  const counts = { people: 0, rows: 0, bytes: 0 }
  const shards = { from_shard: from, to_shard: to }
  const move: ShardMove = {
    ...{ id: newId(), ...shards, buckets, id_bytes: idBytes },
    ...{ state: 'copying', ...counts },
  }
  await insertMove(pool, move, clock.now())
  return move
}

async function complete(context: RunContext, list: readonly ShardMove[]): Promise<RunResult> {
  const { pool, moves } = context
  if (list.length === 0) return { moves: 0, people: 0, rows: 0, bytes: 0 }
  const { report, checkpoint } = context
  const patiently = (work: () => Promise<void>) =>
    untilServersAnswer(report, () => {
      checkpoint()
      return work()
    })
  await patiently(() => beginRun(context))
  for (const move of list) {
    await patiently(async () => {
      const found = (await listMoves(pool)).find(({ id }) => id === move.id)
      if (found !== undefined) await moveBuckets(context, found)
    })
  }
  await patiently(() => removeOldCopies(context, list))
  await patiently(() => moves.record([{ bucket: UNDER_WAY, shard: 0, copy: 0 }]))
  await dropHoldTrigger(pool)
  const ids = new Set(list.map(({ id }) => id))
  const counts = (await listMoves(pool)).filter(({ id }) => ids.has(id))
  await deleteMoves(pool, [...ids])
  const sum = (key: 'people' | 'rows' | 'bytes') =>
    counts.reduce((total, move) => total + move[key], 0)
  return { moves: list.length, people: sum('people'), rows: sum('rows'), bytes: sum('bytes') }
}

/** After this all processes leave out copies, remove rows from them too, and hold writes. */
async function beginRun({ pool, moves, report }: RunContext): Promise<void> {
  await createHoldTrigger(pool)
  const records = await moves.read()
  const isUnderWay = records.some((one) => one.bucket === UNDER_WAY && hasCopy(one))
  if (!isUnderWay) await moves.record([{ bucket: UNDER_WAY, shard: 0, copy: 1 }])
  report({ what: 'waiting until all processes know', rows: 0, bytes: 0 })
  await sleep(ALL_KNOW_MS)
  for (let shard = 0; shard < moves.shards; shard += 1) {
    for (const { own } of moves.serversOf(shard)) {
      while ((await countMutations(own)) > 0) await sleep(POLL_MS)
    }
  }
}

/** Removes the rows from the former shards, when no statement reads them any more. */
async function removeOldCopies(context: RunContext, list: readonly ShardMove[]): Promise<void> {
  const { moves, report, checkpoint } = context
  const since = performance.now()
  report({ what: 'waiting for statements that read the former shard', rows: 0, bytes: 0 })
  for (let shard = 0; shard < moves.shards; shard += 1) {
    for (const { own } of moves.serversOf(shard)) {
      const seconds = () => (performance.now() - since) / 1000
      while ((await countOlderStatements(own, seconds())) > 0) {
        checkpoint()
        await sleep(POLL_MS)
      }
    }
  }
  const bucketSql = await moves.bucketSql()
  for (const [shard, ofShard] of Map.groupBy(list, (move) => move.from_shard)) {
    const buckets = ofShard.flatMap((move) => move.buckets)
    report({ what: `removing rows from shard ${shard + 1}`, rows: 0, bytes: 0 })
    for (const { own } of moves.serversOf(shard)) await removeBuckets(own, { bucketSql, buckets })
  }
  for (const shard of new Set(list.map((move) => move.to_shard))) {
    for (const { own } of moves.serversOf(shard)) await dropHiddenRows(own)
  }
  await moves.record(
    list.flatMap(({ buckets, to_shard: to }) =>
      buckets.map((bucket) => ({ bucket, shard: to, copy: to })),
    ),
  )
}

/** Removes copies that no move knows of, as after PostgreSQL was restored. */
async function removeLeftCopies(moves: ClusterMoves): Promise<void> {
  const left = (await moves.read()).filter(hasCopy)
  if (left.length === 0) return
  const bucketSql = await moves.bucketSql()
  for (const [copy, records] of Map.groupBy(left, (record) => record.copy)) {
    const buckets = records.map(({ bucket }) => bucket).filter((bucket) => bucket !== UNDER_WAY)
    if (buckets.length === 0) continue
    for (const { own } of moves.serversOf(copy)) await removeBuckets(own, { bucketSql, buckets })
  }
  await moves.record(left.map(({ bucket, shard }) => ({ bucket, shard, copy: shard })))
}
