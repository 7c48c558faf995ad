import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readConfig } from './config.ts'
import { type AuditDamage, ChainCheck, type ChainHead } from './platform/audit/audit-chain.ts'
import {
  countPending,
  exportAuditLog,
  readAuditLog,
} from './platform/audit/audit-log.global.repository.ts'
import { StartupError } from './platform/errors.ts'
import { isUuid } from './platform/ids.ts'
import type { Db } from './platform/postgres/database.ts'
import { runOnDatabase } from './reach-database.ts'

/** What "salus audit" does, on the database itself; the server may run meanwhile. */

const [dataDirectory = '', command, ...values] = process.argv.slice(2)
const config = { ...readConfig(), dataDirectory: resolve(dataDirectory) }

await runOnDatabase(config, ({ db }) =>
  command === 'export' ? printLog(db, values) : verifyLog(db, readHead(values[0])),
)

async function printLog(db: Db, [userId = '', environmentId = '']: string[]): Promise<void> {
  for (const id of [userId, environmentId]) {
    if (id !== '' && !isUuid(id)) throw new StartupError(`${id} is not an id.`)
  }
  const rows = exportAuditLog(db, {
    ...(userId && { userId }),
    ...(environmentId && { environmentId }),
  })
  await pipeline(Readable.from(rows), process.stdout)
}

async function verifyLog(db: Db, kept: ChainHead | undefined): Promise<void> {
  const check = new ChainCheck(kept)
  for await (const row of readAuditLog(db)) check.add(row)
  check.end()
  for (const damage of check.damages) console.log(describe(damage))
  const { sequence, hash } = check.head
  if (check.damages.length > 0) process.exitCode = 1
  else
    console.log(
      `${check.rows.toLocaleString('en')} rows of the audit log are as they were written.`,
    )
  const pending = await countPending(db)
  if (pending > 0) console.log(`Changes that are not in the chain yet: ${pending}.`)
  console.log(`Head: ${sequence}:${hash.toString('hex')}`)
}

function describe({ kind, sequence, lastSequence }: AuditDamage): string {
  if (kind === 'changed') return `Row ${sequence} was changed.`
  if (kind === 'reordered') return `Row ${sequence} does not follow the row before it.`
  return sequence === lastSequence
    ? `Row ${sequence} is missing.`
    : `Rows ${sequence} to ${lastSequence} are missing.`
}

function readHead(text = ''): ChainHead | undefined {
  if (text === '') return undefined
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (hash === undefined) throw new StartupError('--head is not what "salus audit verify" printed.')
  return { sequence: Number(sequence), hash: Buffer.from(hash, 'hex') }
}
