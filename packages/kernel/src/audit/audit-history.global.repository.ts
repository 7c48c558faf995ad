import type { ClickHouse, ClickHouseReader } from '../clickhouse/clickhouse.ts'
import { eraseRows } from '../clickhouse/remove-rows.ts'
import { parseRowStream } from '../clickhouse/result-rows.ts'
import { type ActorKind, type AuditRow, FORMER_CHAIN, type HeadOfChain } from './audit-chain.ts'
import type { AuditFilter, AuditPlace, AuditProgress } from './audit-rows.global.repository.ts'

/** Time of the rows of a segment, and its number. */
export interface HistorySegment {
  id: number
  openedAt: Date
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
const COLUMNS = [
  'chain_id',
  'sequence',
  'at',
  'environment_id',
  'actor_kind',
  'actor_id',
  'method',
  'route',
  'status',
  'user_id',
  'has_user',
  'object_id',
  'key_id',
  'previous_hash',
  'hash',
  'segment',
  'opened_on',
]

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
}

/** Bytes as one character each, since a hash is any bytes. */
const textOfBytes = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\\\t\n\r\0]/g, (byte) => ESCAPES[byte] as string)

/**
 * Adds rows of a segment.
 * @param rows In the order of their chains, each with the hash of the row before it, if known.
 */
export async function insertHistory(
  clickhouse: ClickHouse,
  rows: readonly { row: AuditRow; before: Buffer | null }[],
  { id, openedAt }: HistorySegment,
): Promise<void> {
  const openedOn = openedAt.toISOString().slice(0, 10)
  const lines = rows.map(({ row, before }) => {
    const { previousHash } = row
    const isImplied = previousHash === null || (before?.equals(previousHash) ?? false)
    const fields = [
      row.chainId,
      row.sequence,
      row.at.toISOString().slice(0, -1).replace('T', ' '),
      row.environmentId ?? '\\N',
      row.actorKind,
      row.actorId ?? '\\N',
      textOfBytes(Buffer.from(row.method)),
      textOfBytes(Buffer.from(row.route)),
      row.status ?? 0,
      row.userId ?? NO_ID,
      row.userId === null ? 0 : 1,
      row.objectId ?? '\\N',
      row.keyId ?? '',
      isImplied ? '' : textOfBytes(previousHash),
      textOfBytes(row.hash),
      id,
      openedOn,
    ]
    return `${fields.join('\t')}\n`
  })
  await clickhouse.insert('audit_history', COLUMNS, Buffer.from(lines.join(''), 'latin1'))
}

/**
 * Removes the rows that a copy left which did not end, or of which PostgreSQL knows nothing.
 * @param copied Segments that are whole but do not count yet.
 */
export async function removeUncounted(
  clickhouse: ClickHouse,
  { movedSegment, movedSequence }: AuditProgress,
  copied: readonly { id: number }[],
): Promise<void> {
  const whole = [0, ...copied.map(({ id }) => id)].join()
  const isUncounted = `(chain_id = ${FORMER_CHAIN} and sequence > ${movedSequence})
    or (chain_id <> ${FORMER_CHAIN} and segment > ${movedSegment} and segment not in (${whole}))`
  const found = await clickhouse.queryRows(
    `select 1 from audit_history where ${isUncounted} limit 1`,
  )
  if (found.length === 0) return
  await eraseRows(clickhouse, { table: 'audit_history', condition: isUncounted, parameters: {} })
}

/** Removes the rows of segments that were opened in a month. @param month As 202611. */
export async function dropHistory(clickhouse: ClickHouse, month: number): Promise<void> {
  await clickhouse.command(`alter table audit_history drop partition ${month}`)
}

/** Returns the months that have rows, such as 202611, the first one first. */
export async function listHistoryMonths(clickhouse: ClickHouseReader): Promise<number[]> {
  const rows = await clickhouse.queryRows<{ month: number }>(
    'select distinct toYYYYMM(opened_on) as month from audit_history order by month',
  )
  return rows.map(({ month }) => month)
}

const SELECTED = `chain_id, sequence, toUnixTimestamp64Milli(at) as ms, environment_id, actor_kind,
  actor_id, method, route, status, user_id, has_user, object_id, key_id,
  hex(previous_hash) as previous, hex(hash) as hash_text`

interface HistoryRow {
  chain_id: number
  sequence: number
  ms: number
  environment_id: string | null
  actor_kind: ActorKind
  actor_id: string | null
  method: string
  route: string
  status: number
  user_id: string
  has_user: number
  object_id: string | null
  key_id: string
  previous: string
  hash_text: string
}

/** Rows of a segment in the order of their chains. */
export function readHistorySegment(
  clickhouse: ClickHouseReader,
  segment: number,
): AsyncGenerator<AuditRow[]> {
  return readRows(clickhouse, `segment = ${segment}`, {})
}

/** Rows behind a place that count by the progress, in the order of their chains. */
export function readHistory(
  clickhouse: ClickHouseReader,
  options: { after: AuditPlace; filter: AuditFilter; progress: AuditProgress },
): AsyncGenerator<AuditRow[]> {
  const { after, filter, progress } = options
  const parameters: Record<string, string> = {}
  const conditions = [
    countedSql(progress),
    // The first condition is the one for which the index is read.
    `chain_id >= ${after.chainId} and (chain_id, sequence) > (${after.chainId}, ${after.sequence})`,
  ]
  if (filter.userId !== undefined) {
    parameters.userId = filter.userId
    conditions.push('user_id = {userId:UUID} and has_user = 1')
  }
  if (filter.environmentId !== undefined) {
    parameters.environmentId = filter.environmentId
    conditions.push('environment_id = {environmentId:UUID}')
  }
  return readRows(clickhouse, conditions.join(' and '), parameters)
}

/** Whether a row counts by the progress. */
export function countedSql({ movedSegment, movedSequence, removedBefore }: AuditProgress): string {
  return `opened_on >= '${removedBefore}' and (chain_id <> ${FORMER_CHAIN} and segment <= ${movedSegment}
    or chain_id = ${FORMER_CHAIN} and sequence <= ${movedSequence})`
}

/**
 * A row of the former chain has the hash before it only where that is not the hash of the row
 * before; the first row that is read has it from there.
 */
async function* readRows(
  clickhouse: ClickHouseReader,
  where: string,
  parameters: Record<string, string>,
): AsyncGenerator<AuditRow[]> {
  const chunks = clickhouse.queryStream(
    `select ${SELECTED} from audit_history where ${where} order by chain_id, sequence`,
    parameters,
    'JSONEachRow',
  )
  let before: AuditRow | undefined
  for await (const rows of parseRowStream<HistoryRow>(chunks)) {
    const read: AuditRow[] = []
    for (const row of rows) {
      before = toAuditRow(row, before)
      read.push(before)
    }
    yield read
  }
}

function toAuditRow(row: HistoryRow, before: AuditRow | undefined): AuditRow {
  const isNext = before?.chainId === row.chain_id && before.sequence + 1 === row.sequence
  const implied = isNext && row.chain_id === FORMER_CHAIN ? before.hash : null
  return {
    chainId: row.chain_id,
    sequence: row.sequence,
    at: new Date(row.ms),
    environmentId: row.environment_id,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    method: row.method,
    route: row.route,
    status: row.status === 0 ? null : row.status,
    userId: row.has_user === 1 ? row.user_id : null,
    objectId: row.object_id,
    keyId: row.key_id === '' ? null : row.key_id,
    previousHash: row.previous === '' ? implied : Buffer.from(row.previous, 'hex'),
    hash: Buffer.from(row.hash_text, 'hex'),
  }
}

/** Returns the hash of a row that counts by the progress. */
export async function findHistoryHash(
  clickhouse: ClickHouseReader,
  { chainId, sequence }: AuditPlace,
): Promise<Buffer | undefined> {
  const [row] = await clickhouse.queryRows<{ hash_text: string }>(
    `select hex(hash) as hash_text from audit_history
    where chain_id = ${chainId} and sequence = ${sequence} limit 1`,
  )
  return row && Buffer.from(row.hash_text, 'hex')
}

/** Returns the last row of each chain in segments that were opened before a date. */
export async function listHistoryHeads(
  clickhouse: ClickHouseReader,
  openedBefore: string,
  progress: AuditProgress,
): Promise<HeadOfChain[]> {
  const rows = await clickhouse.queryRows<{ chain_id: number; last: number; hash_text: string }>(
    `select chain_id, max(sequence) as last, hex(argMax(hash, sequence)) as hash_text from audit_history
    where opened_on < '${openedBefore}' and ${countedSql(progress)} group by chain_id`,
  )
  return rows.map(({ chain_id: chainId, last: sequence, hash_text }) => ({
    chainId,
    sequence,
    hash: Buffer.from(hash_text, 'hex'),
  }))
}
