import { resolve } from 'node:path'
import type { ClickHouse, ClusterMoves } from '@salus/kernel/clickhouse/clickhouse'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import { hasCopy, UNDER_WAY } from '@salus/kernel/clickhouse/cluster/placement'
import { AppError, StartupError } from '@salus/kernel/errors'
import { systemClock } from '@salus/kernel/time/clock'
import {
  listMoves,
  measureShards,
  type PlannedMove,
  planBalance,
  planDrain,
  planPart,
  runMoves,
} from '@salus/ops/shards'
import type pg from 'pg'
import { readConfig } from '../config.ts'
import { withStores } from './reach-stores.ts'
import { recordCommand } from './record-command.ts'

/**
 * Runs "salus shards" on the stores themselves, while the server runs or not. The arguments are the
 * data directory, the action, the most MB a second, and numbers of shards, which count from 1.
 */

const [dataDirectory = '', action = '', speed = '', ...numbers] = process.argv.slice(2)
const config = { ...readConfig(), dataDirectory: resolve(dataDirectory) }

let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isStopped = true))

function checkpoint(): void {
  if (!isStopped) return
  throw new StartupError('Stopped. The same command continues; until then no person is affected.')
}

/** Prints a permanent line, after which the progress ends. */
function printLine(line: string): void {
  process.send?.('end')
  console.log(line)
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function movesOf({ cluster }: Pick<ClickHouse, 'cluster'>): ClusterMoves {
  if (cluster === undefined) {
    throw new StartupError('There are no shards: CLICKHOUSE_URL and CLICKHOUSE_CLUSTER name none.')
  }
  if (cluster.members.some(({ isUp }) => !isUp)) {
    throw new StartupError('A server of the ClickHouse cluster cannot be reached. Moves need all.')
  }
  return cluster.moves
}

async function list(pool: pg.Pool, moves: ClusterMoves): Promise<void> {
  const sizes = await measureShards(moves)
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  for (let shard = 0; shard < moves.shards; shard += 1) {
    const own = sizes.filter((size) => size.shard === shard)
    const bytes = own.reduce((sum, size) => sum + size.bytes, 0)
    const part = total === 0 ? 0 : (100 * bytes) / total
    const buckets = own.length.toLocaleString('en')
    printLine(
      `shard ${shard + 1}  ${megabytes(bytes).padStart(12)}  ${part.toFixed(1)} %  ${buckets} buckets of people`,
    )
  }
  for (const { from_shard, to_shard, state, people, bytes } of await listMoves(pool)) {
    printLine(
      `a move from shard ${from_shard + 1} to ${to_shard + 1} is not complete (${state}): ${people.toLocaleString('en')} people, ${megabytes(bytes)} so far`,
    )
  }
  const open = (await moves.read()).filter((one) => hasCopy(one) && one.bucket !== UNDER_WAY)
  if (open.length > 0) printLine(`${open.length} buckets have a copy on a second shard`)
}

async function plan(moves: ClusterMoves): Promise<readonly PlannedMove[]> {
  const sizes = await measureShards(moves)
  const shards = Array.from({ length: moves.shards }, (_, shard) => shard)
  const [from = 0, to = 0, percent = 0] = numbers.map(Number)
  if (shards.length === 1) throw new StartupError('There is only one shard.')
  for (const shard of action === 'balance' ? [] : [from, ...(action === 'move' ? [to] : [])]) {
    if (!shards.includes(shard - 1)) {
      throw new StartupError(
        `There is no shard ${shard}: they are numbered from 1 to ${shards.length}.`,
      )
    }
  }
  if (action === 'move') return planPart(sizes, { from: from - 1, to: to - 1, percent })
  if (action === 'drain') {
    return planDrain(
      sizes,
      from - 1,
      shards.filter((shard) => shard !== from - 1),
    )
  }
  return planBalance(sizes, config.clickhouseShares ?? shards.map(() => 1))
}

async function move(): Promise<void> {
  await withStores(config, async (stores) => {
    const { pool, clickhouse } = stores
    const moves = movesOf(clickhouse)
    await recordCommand(stores, config, `salus shards ${action}`)
    const progress = { done: 0, total: 0 }
    let longestMs = 0
    const result = await runMoves(
      {
        pool,
        moves,
        clock: systemClock,
        checkpoint,
        onHeld(milliseconds) {
          longestMs = Math.max(longestMs, milliseconds)
        },
        bytesPerSecond: speed === '' ? Number.POSITIVE_INFINITY : Number(speed) * 1e6,
        report({ what, bytes }) {
          progress.done += bytes
          process.send?.({ what, ...progress })
        },
      },
      async () => {
        const planned = await plan(moves)
        progress.done = 0
        progress.total = planned.reduce((sum, { bytes }) => sum + bytes, 0)
        return planned
      },
    )
    const count = (value: number): string => value.toLocaleString('en')
    if (result.moves === 0) printLine('Nothing has to be moved.')
    else {
      printLine(
        `Moved ${count(result.people)} people with ${count(result.rows)} rows, ${megabytes(result.bytes)}.`,
      )
      printLine(`Uploads of a person waited for ${(longestMs / 1000).toFixed(2)} s at most.`)
    }
    await list(pool, moves)
  })
}

try {
  if (action === 'list') {
    await withStores(config, ({ pool, clickhouse }) => list(pool, movesOf(clickhouse)))
  } else await move()
} catch (error) {
  const isExplained = [StartupError, AppError, ClickHouseError].some(
    (kind) => error instanceof kind,
  )
  if (!isExplained) throw error
  process.send?.('end')
  console.error(`salus: ${(error as Error).message}`)
  process.exitCode = 1
}
if (process.connected) process.disconnect()
