import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { archiveAuditLog } from '@salus/kernel/audit/archive-audit-log'
import { type ArchiveCheck, verifyArchive } from '@salus/kernel/audit/audit-archive'
import {
  type AuditDamage,
  ChainCheck,
  FORMER_CHAIN,
  type HeadOfChain,
} from '@salus/kernel/audit/audit-chain'
import { listChains } from '@salus/kernel/audit/audit-chains.global.repository'
import { readAuditHeads } from '@salus/kernel/audit/audit-heads'
import { listAuditKeys } from '@salus/kernel/audit/audit-keys.global.repository'
import { countPending } from '@salus/kernel/audit/audit-log.global.repository'
import { isRemovalRight } from '@salus/kernel/audit/audit-retention'
import { exportAuditLog, readAuditLog } from '@salus/kernel/audit/read-audit-log'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import { createSecretBox } from '@salus/kernel/crypto/secret-box'
import { StartupError } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import { systemClock } from '@salus/kernel/time/clock'
import { parseStartBound } from '@salus/kernel/time/instants'
import { readConfig } from '../config.ts'
import { openTarget, readSecretKeys } from './open-target.ts'
import { type ReachedStores, withStores } from './reach-stores.ts'
import { findSecretBox, recordCommand } from './record-command.ts'

/** Runs "salus audit" on the stores themselves; the server may run meanwhile. */

const [dataDirectory = '', command = '', ...values] = process.argv.slice(2)
const config = { ...readConfig(), dataDirectory: resolve(dataDirectory) }

const UNDEFINED_TABLE = '42P01'

const WORK: Record<string, (stores: ReachedStores, values: string[]) => Promise<void>> = {
  verify: verifyLog,
  export: printLog,
  archive,
}

try {
  if (command === 'verify-archive') await checkArchive(values)
  else await withStores(config, (stores) => WORK[command]?.(stores, values) ?? Promise.resolve())
} catch (error) {
  const isEmpty = (error as { code?: unknown }).code === UNDEFINED_TABLE
  if (!(error instanceof StartupError || error instanceof ClickHouseError || isEmpty)) throw error
  const empty = 'The database is empty or of an earlier version. Start Salus.'
  console.error(`salus: ${isEmpty ? empty : (error as Error).message}`)
  process.exitCode = 1
}

async function printLog(
  stores: ReachedStores,
  [userId = '', environmentId = '']: string[],
): Promise<void> {
  for (const id of [userId, environmentId]) {
    if (id !== '' && !isUuid(id)) throw new StartupError(`${id} is not an id.`)
  }
  const rows = exportAuditLog(stores, {
    ...(userId && { userId }),
    ...(environmentId && { environmentId }),
  })
  await pipeline(Readable.from(rows), process.stdout)
}

async function verifyLog(stores: ReachedStores, [head = '']: string[]): Promise<void> {
  const { db, pool, files } = stores
  const given = readHeads(head)
  const secrets = await findSecretBox(pool, config)
  if (secrets === undefined) {
    throw new StartupError(
      'The rows can only be verified with the secret key. Set SALUS_SECRET_KEY to that of the server.',
    )
  }
  const keys = await listAuditKeys(db, secrets)
  const kept = await readAuditHeads(files, keys)
  const chains = await listChains(db)
  // Where a chain began, that of earlier versions had this head.
  const starts = chains.flatMap(({ row: { start_sequence: sequence, start_hash: hash } }) =>
    sequence === 0 ? [] : { chainId: FORMER_CHAIN, sequence, hash },
  )
  const check = new ChainCheck({ kept: [...starts, ...kept.heads, ...given], keys, chains })
  for await (const row of readAuditLog(stores)) check.add(row)
  check.end()
  for (const damage of check.damages) console.log(describe(damage))
  for (const name of kept.changed)
    console.log(`The stored head ${name} was changed, or its key is missing.`)
  const forged = chains.filter((chain) => !isRemovalRight(chain, keys))
  for (const { id } of forged)
    console.log(`The record of the removed rows of chain ${id} was changed.`)
  const rows = check.rows.toLocaleString('en')
  if (check.damages.length + kept.changed.length + forged.length > 0) process.exitCode = 1
  else console.log(`${rows} rows of the audit log are as they were written.`)
  if (kept.files > 0) console.log(`Compared with heads in the file store: ${kept.files}.`)
  const pending = await countPending(db)
  if (pending > 0) console.log(`Changes that are not in the chain yet: ${pending}.`)
  console.log(`Head: ${check.heads.map(writeHead).join(',')}`)
}

/** Archives rows that were moved before a date, and reports what the check of the files found. */
async function archive(stores: ReachedStores, [where = '', date = '']: string[]): Promise<void> {
  const before = parseStartBound(date)
  if (before === undefined) throw new StartupError('--before must be a date, such as 2026-01-31.')
  const secrets = createSecretBox(readSecretKeys(config, 'Archives'))
  const target = await openTarget(config, where)
  await target.check()
  const command = 'salus audit archive'
  await recordCommand(
    stores,
    { ...config, secretKeys: [...readSecretKeys(config, command)] },
    command,
  )
  const context = { ...stores, secrets, target, now: systemClock.now() }
  printArchive(await archiveAuditLog(context, new Date(before)), 'archived')
}

/** Checks an archive without the stores. */
async function checkArchive([where = '']: string[]): Promise<void> {
  const secrets = createSecretBox(readSecretKeys(config, 'Archives'))
  printArchive(
    await verifyArchive(await openTarget(config, where), secrets),
    'as they were written',
  )
}

function printArchive(
  { parts, rows, damages, problems, heads }: ArchiveCheck,
  state: string,
): void {
  for (const damage of damages) console.log(describe(damage))
  for (const problem of problems) console.log(problem)
  if (damages.length + problems.length > 0) process.exitCode = 1
  else console.log(`${rows.toLocaleString('en')} rows in ${parts} parts are ${state}.`)
  if (heads.length > 0) console.log(`Head: ${heads.map(writeHead).join(',')}`)
}

function describe({ kind, chainId, sequence, lastSequence }: AuditDamage): string {
  const row = `${sequence} of chain ${chainId}`
  if (kind === 'changed') return `Row ${row} was changed.`
  if (kind === 'added') return `Row ${row} was added.`
  if (kind === 'reordered') return `Row ${row} does not follow the row before it.`
  return sequence === lastSequence
    ? `Row ${row} is missing.`
    : `Rows ${sequence} to ${lastSequence} of chain ${chainId} are missing.`
}

function writeHead({ chainId, sequence, hash }: HeadOfChain): string {
  return `${chainId}:${sequence}:${hash.toString('hex')}`
}

/** Reads heads as they are printed; one without a chain is of the chain of earlier versions. */
function readHeads(text: string): HeadOfChain[] {
  if (text === '') return []
  return text.split(',').map((head) => {
    const [, chain = '0', sequence, hash] =
      /^(?:(\d{1,10}):)?(\d{1,15}):([0-9a-f]{64})$/.exec(head) ?? []
    if (hash === undefined) {
      throw new StartupError('--head is not what "salus audit verify" printed.')
    }
    return { chainId: Number(chain), sequence: Number(sequence), hash: Buffer.from(hash, 'hex') }
  })
}
