import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouse, ClusterMoves } from '@salus/kernel/clickhouse/clickhouse'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import type pg from 'pg'
import type { ClickHouseTable } from '../store-copy/index.ts'
import {
  checksumPeople,
  copyPeople,
  hidePeople,
  listPeople,
  listPersonTables,
  measureRow,
  type PeopleOf,
  type PersonRows,
  type TableRows,
} from './people-rows.global.repository.ts'
import {
  beginSwitch,
  countWrites,
  holdPeople,
  listVersions,
  type ShardMove,
  saveCounts,
  setState,
} from './shard-moves.global.repository.ts'

type Person = Pick<PersonRows, 'environment_id' | 'user_id'>

/** What a move works with. */
export interface MoveContext {
  pool: pg.Pool
  moves: ClusterMoves
  /** Bytes of rows that are copied in a second at most. */
  bytesPerSecond: number
  report(progress: { what: string; rows: number; bytes: number }): void
  /** Throws when the operator has stopped the command. */
  checkpoint(): void
  /** Called with the milliseconds for which writes to the people of a move waited. */
  onHeld(milliseconds: number): void
}

interface MovedRows extends PeopleOf {
  from: number
  to: number
  tables: readonly ClickHouseTable[]
}

/** Rows of one statement, which a kill loses at most. */
const CHUNK_ROWS = 500_000
const CHUNK_PEOPLE = 2_000
/** A hold ends by itself after this time, unless the switch has begun. */
const HOLD_SECONDS = 20
/** Writes that have begun end within this time, or the hold is given up for a moment. */
const DRAIN_MS = 5_000
const BETWEEN_HOLDS_MS = 2_000
const POLL_MS = 20
const RETRY_MS = 1_000

/**
 * Moves the people of some buckets to another shard and lets it answer. It continues a move that
 * was interrupted at any step. The rows on the former shard remain as a copy that does not count.
 */
export async function moveBuckets(context: MoveContext, move: ShardMove): Promise<void> {
  const { pool, moves } = context
  const { id, from_shard: from, to_shard: to, buckets, state } = move
  if (state === 'moved') return
  if (state !== 'switching') {
    await setState(pool, id, 'copying')
    await moves.record(buckets.map((bucket) => ({ bucket, shard: from, copy: to })))
    const tables = await listPersonTables(moves.serverOf(from).own)
    const rows = { bucketSql: await moves.bucketSql(), buckets, from, to, tables }
    await copyAll(context, move, rows)
    const heldSince = await holdUntilEqual(context, move, rows)
    await untilServersAnswer(context.report, () => switchShard(context, move))
    context.onHeld(performance.now() - heldSince)
    return
  }
  await untilServersAnswer(context.report, () => switchShard(context, move))
}

/** Copies all rows, without holding up a write. */
async function copyAll(context: MoveContext, move: ShardMove, rows: MovedRows): Promise<void> {
  const people = new Set<string>()
  const counts = { ...move, rows: 0, bytes: 0 }
  for (const table of rows.tables) {
    const source = context.moves.serverOf(rows.from)
    const listed = await listPeople(source.own, table, rows)
    const bytesOfRow = await measureRow(source.own, table)
    for (const chunk of chunksOf(listed)) {
      context.checkpoint()
      const startedAt = performance.now()
      await copyTo(context.moves, table, rows, chunk)
      const copied = chunk.reduce((sum, person) => sum + person.rows, 0)
      for (const { user_id: user } of chunk) people.add(user)
      const bytes = copied * bytesOfRow
      counts.rows += copied
      counts.bytes += bytes
      await saveCounts(context.pool, { ...counts, people: people.size })
      context.report({ what: table.name, rows: copied, bytes })
      const leastMs = (bytes / context.bytesPerSecond) * 1000
      await sleep(Math.max(0, leastMs - (performance.now() - startedAt)))
    }
  }
}

function* chunksOf<Listed extends Person & { rows: number }>(
  people: readonly Listed[],
): Generator<Listed[]> {
  let chunk: Listed[] = []
  let rows = 0
  for (const person of people) {
    if (chunk.length > 0 && (rows + person.rows > CHUNK_ROWS || chunk.length >= CHUNK_PEOPLE)) {
      yield chunk
      chunk = []
      rows = 0
    }
    chunk.push(person)
    rows += person.rows
  }
  if (chunk.length > 0) yield chunk
}

async function copyTo(
  moves: ClusterMoves,
  table: ClickHouseTable,
  rows: MovedRows,
  people: readonly Person[],
): Promise<void> {
  for (const { own } of moves.serversOf(rows.to)) await copyPeople(moves, own, table, rows, people)
}

/**
 * Compares all people, then holds writes for a moment, in which those who were written to meanwhile
 * are compared again. When it returns, both shards are equal and the switch has begun.
 * @returns the time from which writes waited
 */
async function holdUntilEqual(
  context: MoveContext,
  move: ShardMove,
  rows: MovedRows,
): Promise<number> {
  const { pool } = context
  const versions = new Map<string, string>()
  const findChanged = async (): Promise<Person[]> => {
    const listed = await listVersions(pool, move.id_bytes)
    const changed = listed.filter(({ user_id: user, version }) => versions.get(user) !== version)
    for (const { user_id: user, version } of listed) versions.set(user, version)
    return changed
  }
  await findChanged()
  let suspects = await copyDiffering(context, rows)
  for (;;) {
    context.checkpoint()
    // Most of what was written during the comparison is copied before writes have to wait.
    suspects = await copyDiffering(context, rows, [...suspects, ...(await findChanged())])
    const heldSince = performance.now()
    await holdPeople(pool, move.id, HOLD_SECONDS)
    if (await drain(context, move.id_bytes)) {
      suspects.push(...(await findChanged()))
      await makeEqual(context, rows, suspects)
      if (await beginSwitch(pool, move.id)) return heldSince
    }
    await setState(pool, move.id, 'copying')
    context.report({ what: 'waiting for writes that have begun', rows: 0, bytes: 0 })
    await sleep(BETWEEN_HOLDS_MS)
  }
}

/** Waits for writes that began before the hold. Returns false when they take longer. */
async function drain({ pool }: MoveContext, idBytes: readonly number[]): Promise<boolean> {
  const until = performance.now() + DRAIN_MS
  while ((await countWrites(pool, idBytes)) > 0) {
    if (performance.now() > until) return false
    await sleep(POLL_MS)
  }
  return true
}

/**
 * Copies again the people who differ between the shards, out of some or all. It returns them,
 * because they may be written to meanwhile.
 */
async function copyDiffering(
  { moves }: MoveContext,
  rows: MovedRows,
  people?: readonly Person[],
): Promise<Person[]> {
  const found: Person[] = []
  const source = moves.serverOf(rows.from).own
  for (const table of rows.tables) {
    for (const { own: target } of moves.serversOf(rows.to)) {
      const listed = people ?? (await listBoth([source, target], table, rows))
      for (const chunk of chunksOf(listed.map((person) => ({ rows: 1, ...person })))) {
        const differing = await findDiffering([source, target], table, rows, chunk)
        if (differing.length === 0) continue
        await copyPeople(moves, target, table, rows, differing)
        found.push(...differing)
      }
    }
  }
  return found
}

/** Makes people equal on both shards, while nothing is written. */
async function makeEqual(
  { moves }: MoveContext,
  rows: MovedRows,
  people: readonly Person[],
): Promise<void> {
  const once = [...new Map(people.map((person) => [person.user_id, person])).values()]
  const source = moves.serverOf(rows.from).own
  for (const { own: target } of moves.serversOf(rows.to)) {
    for (const chunk of chunksOf(once.map((person) => ({ rows: 1, ...person })))) {
      const findTables = () => findDifferingTables([source, target], rows.tables, rows, chunk)
      for (const [table, differing] of await findTables()) {
        await copyPeople(moves, target, table, rows, differing)
      }
      for (const [table, differing] of await findTables()) {
        // Rows that were removed after they had been copied.
        await hidePeople(target, table, rows, differing)
        await copyPeople(moves, target, table, rows, differing)
      }
      const [left] = await findTables()
      if (left !== undefined) {
        throw new Error(`Rows of ${left[0].name} are not equal on both shards.`)
      }
    }
  }
}

async function listBoth(
  servers: readonly ClickHouse[],
  table: ClickHouseTable,
  rows: MovedRows,
): Promise<(Person & { rows: number })[]> {
  const lists = await Promise.all(servers.map((server) => listPeople(server, table, rows)))
  return [...new Map(lists.flat().map((person) => [person.user_id, person])).values()]
}

/** Returns people whose rows differ between two servers, by table. */
async function findDifferingTables(
  servers: readonly ClickHouse[],
  tables: readonly ClickHouseTable[],
  rows: MovedRows,
  people: readonly Person[],
): Promise<Map<ClickHouseTable, Person[]>> {
  const [source = [], target = []] = await Promise.all(
    servers.map((server) => checksumPeople(server, tables, rows, people)),
  )
  const keyOf = (table: string, userId: string): string => `${table} ${userId}`
  const contentOf = (list: readonly TableRows[]) =>
    new Map(list.map((of) => [keyOf(of.table, of.user_id), `${of.rows} ${of.checksum}`]))
  const [expected, found] = [contentOf(source), contentOf(target)]
  const differing = new Map<ClickHouseTable, Person[]>()
  for (const table of tables) {
    const list = people.filter(({ user_id: userId }) => {
      const key = keyOf(table.name, userId)
      return expected.get(key) !== found.get(key)
    })
    if (list.length > 0) differing.set(table, list)
  }
  return differing
}

async function findDiffering(
  servers: readonly ClickHouse[],
  table: ClickHouseTable,
  rows: MovedRows,
  people: readonly Person[],
): Promise<Person[]> {
  return (await findDifferingTables(servers, [table], rows, people)).get(table) ?? []
}

/**
 * Lets the new shard answer, on all servers; nothing is written meanwhile.
 * @throws ClickHouseError when a server does not answer; then it has to be repeated
 */
export async function switchShard(
  { pool, moves }: Pick<MoveContext, 'pool' | 'moves'>,
  { id, from_shard: copy, to_shard: shard, buckets }: ShardMove,
): Promise<void> {
  await moves.record(buckets.map((bucket) => ({ bucket, shard, copy })))
  await setState(pool, id, 'moved')
}

/** Does the work again for as long as ClickHouse fails in it, as while a server is down. */
export async function untilServersAnswer<Result>(
  report: MoveContext['report'],
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ClickHouseError)) throw error
      report({ what: `waiting for ClickHouse: ${error.message}`, rows: 0, bytes: 0 })
      await sleep(RETRY_MS)
    }
  }
}
