import { createHash } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { newId } from '../ids.ts'
import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import { type AuditRow, CHAIN_START, FORMER_CHAIN, textOfEntry } from './audit-chain.ts'
import {
  type HistorySegment,
  insertHistory,
  readHistorySegment,
  removeUncounted,
} from './audit-history.global.repository.ts'
import { findProgress } from './audit-rows.global.repository.ts'
import * as segments from './audit-segments.global.repository.ts'

interface MoveContext {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
  log: Logger
  /** Age at which a segment is closed. */
  segmentMs?: number
  /** Number of rows that are copied at once. */
  rowsAtOnce?: number
  /** Called before each step that changes a store, for tests. */
  beforeStep?: (step: string) => void
}

type Mover = Required<MoveContext> & { leaseId: string; signal: AbortSignal }

const ROWS_AT_ONCE = 20_000
/** A segment of that size is closed however young it is. */
const MOST_SEGMENT_BYTES = 1024 ** 3
/** Rows of the former table that become one segment. */
const FORMER_ROWS = 1_000_000

/**
 * Copies the rows of closed segments into ClickHouse, reads them back, and empties their partitions
 * when all are there as they were. A row is always in one of the stores; where it is in both, one
 * counts.
 * Whatever the process was doing when it was killed, the next run goes on from what is recorded.
 */
export async function moveAuditRows(context: MoveContext, signal: AbortSignal): Promise<void> {
  const mover: Mover = {
    segmentMs: DAY_MS,
    rowsAtOnce: ROWS_AT_ONCE,
    beforeStep: () => {},
    ...context,
    leaseId: newId(),
    signal,
  }
  const { db, clickhouse } = mover
  if (!(await segments.takeLease(db, mover.leaseId))) return
  try {
    const copied = (await segments.listUnmovedSegments(db)).filter((one) => one.row_count !== null)
    await removeUncounted(clickhouse, await findProgress(db), copied)
    await moveFormerRows(mover)
    // Those that an earlier run left may hold the partition that the next one needs.
    if (!(await moveClosedSegments(mover))) return
    await closeDueSegment(mover)
    await moveClosedSegments(mover)
  } finally {
    await segments.releaseLease(db, mover.leaseId)
  }
}

async function moveClosedSegments(mover: Mover): Promise<boolean> {
  for (const segment of await segments.listUnmovedSegments(mover.db)) {
    if (mover.signal.aborted || !(await moveSegment(mover, segment))) return false
  }
  return true
}

async function closeDueSegment({ db, clock, segmentMs, beforeStep }: Mover): Promise<void> {
  const open = await segments.findOpenSegment(db)
  const now = clock.now()
  const isOld = now.getTime() - open.opened_at.getTime() >= segmentMs
  if (open.bytes === 0 || !(isOld || open.bytes >= MOST_SEGMENT_BYTES)) return
  beforeStep('close')
  await segments.closeSegment(db, open, now)
}

/** @returns false when it has to be tried again later */
async function moveSegment(mover: Mover, segment: segments.AuditSegment): Promise<boolean> {
  const { db, leaseId, clock, log, rowsAtOnce, beforeStep } = mover
  const { id, slot } = segment
  if (slot === null) throw new Error('Only segments of partitions move.')
  if (segment.row_count === null) {
    const to = { id, openedAt: segment.opened_at }
    const pages = readPages((after) => segments.readSegmentRows(db, slot, after, rowsAtOnce))
    const copied = await copyRows(mover, pages, to)
    if (copied === undefined) return false
    beforeStep('record')
    await segments.recordCopy(db, id, copied)
  }
  beforeStep('finish')
  const isFinished = await segments.finishSegment(db, segment, { leaseId, now: clock.now() })
  if (!isFinished) log.info({ segment: id }, 'rows of the audit log are read, and move later')
  return isFinished
}

async function* readPages(
  read: (after: { chainId: number; sequence: number }) => Promise<AuditRow[]>,
): AsyncGenerator<AuditRow[]> {
  for (let after = { chainId: FORMER_CHAIN, sequence: 0 }; ; ) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last
  }
}

/** Moves the rows of the former table, as many at once as make a segment, within a month. */
async function moveFormerRows(mover: Mover): Promise<void> {
  const { db, clock, leaseId, signal, beforeStep } = mover
  for (;;) {
    const { movedSequence } = await findProgress(db)
    const [first] = await segments.readFormerRows(db, movedSequence, 1)
    if (first === undefined) break
    if (signal.aborted) return
    const segment = { id: await segments.nextSegmentId(db), openedAt: first.at }
    const end = { sequence: movedSequence }
    const copied = await copyRows(mover, readFormerSegment(mover, first, end), segment)
    if (copied === undefined) return
    beforeStep('finish former rows')
    const recorded = {
      id: segment.id,
      opened_at: first.at,
      closed_at: copied.lastAt,
      moved_at: clock.now(),
      row_count: copied.rows,
      first_at: copied.firstAt,
      last_at: copied.lastAt,
    }
    await segments.finishFormerRows(db, recorded, { leaseId, lastSequence: end.sequence })
  }
  beforeStep('empty')
  await segments.emptyFormerTable(db)
}

const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

async function* readFormerSegment(
  { db, rowsAtOnce }: Mover,
  first: AuditRow,
  end: { sequence: number },
): AsyncGenerator<AuditRow[]> {
  const month = monthOf(first.at)
  for (let rows = 0; rows < FORMER_ROWS; ) {
    const read = await segments.readFormerRows(db, end.sequence, rowsAtOnce)
    // A row of a request that took long may be of the month before.
    const later = read.findIndex(({ at }) => monthOf(at) > month)
    const page = later === -1 ? read : read.slice(0, later)
    end.sequence = page.at(-1)?.sequence ?? end.sequence
    if (page.length > 0) yield page
    if (later !== -1 || read.length === 0) return
    rows += page.length
  }
}

/**
 * Copies rows and compares what ClickHouse has then with what PostgreSQL had, byte by byte; whether
 * the chain is whole does not matter, so that a damaged row stays as it is.
 * @returns undefined when the process has to stop
 */
async function copyRows(
  { db, clickhouse, leaseId, signal, beforeStep }: Mover,
  pages: AsyncIterable<AuditRow[]>,
  segment: HistorySegment,
): Promise<segments.CopiedRows | undefined> {
  const given = new RowDigest()
  for await (const rows of pages) {
    if (signal.aborted) return undefined
    if (!(await segments.takeLease(db, leaseId))) {
      throw new Error('Another process moves rows of the audit log.')
    }
    beforeStep('copy')
    const before = given.last
    const chained = rows.map((row, index) => ({
      row,
      before: hashBefore(row, index === 0 ? before : rows[index - 1]),
    }))
    await insertHistory(clickhouse, chained, segment)
    given.add(rows)
  }
  beforeStep('compare')
  const read = new RowDigest()
  for await (const rows of readHistorySegment(clickhouse, segment.id)) read.add(rows)
  if (read.end() !== given.end()) {
    throw new Error('Rows of the audit log that were copied into ClickHouse differ.')
  }
  return given
}

/** Returns the hash of the row before, where it is the one before in the same chain. */
function hashBefore({ chainId, sequence }: AuditRow, last: AuditRow | undefined): Buffer | null {
  if (last?.chainId === chainId && last.sequence === sequence - 1) return last.hash
  return chainId === FORMER_CHAIN && sequence === 1 ? CHAIN_START : null
}

/** Counts rows and hashes all that they say, in their order. */
class RowDigest implements segments.CopiedRows {
  readonly #hash = createHash('sha256')
  rows = 0
  firstAt: Date | null = null
  lastAt: Date | null = null
  last: AuditRow | undefined

  add(rows: readonly AuditRow[]): void {
    for (const row of rows) {
      const { chainId, sequence, keyId, at } = row
      this.#hash.update(`${chainId} ${sequence} ${keyId}\n${textOfEntry(row)}\n`)
      this.#hash.update(row.hash).update(impliedHash(row, this.last))
      this.rows += 1
      if (this.firstAt === null || at < this.firstAt) this.firstAt = at
      if (this.lastAt === null || at > this.lastAt) this.lastAt = at
      this.last = row
    }
  }

  end(): string {
    return `${this.rows} ${this.#hash.digest('hex')}`
  }
}

/** Returns the hash before a row as it is named or follows from the row before. */
const impliedHash = (row: AuditRow, last: AuditRow | undefined): Buffer =>
  row.previousHash ?? hashBefore(row, last) ?? CHAIN_START
