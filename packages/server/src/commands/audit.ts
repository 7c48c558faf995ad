import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AuditDamage, ChainCheck, type ChainHead } from '@salus/kernel/audit/audit-chain'
import { readAuditHeads } from '@salus/kernel/audit/audit-heads'
import { listAuditKeys } from '@salus/kernel/audit/audit-keys.global.repository'
import {
  countPending,
  exportAuditLog,
  readAuditLog,
} from '@salus/kernel/audit/audit-log.global.repository'
import { StartupError } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import type { Db, OpenDatabase } from '@salus/kernel/postgres/database'
import { readConfig } from '../config.ts'
import { openFiles } from '../stores.ts'
import { runOnDatabase } from './reach-database.ts'
import { findSecretBox } from './record-command.ts'

/** Runs "salus audit" on the database itself; the server may run meanwhile. */

const [dataDirectory = '', command, ...values] = process.argv.slice(2)
const config = { ...readConfig(), dataDirectory: resolve(dataDirectory) }

await runOnDatabase(config, ({ db, pool }) =>
  command === 'export' ? printLog(db, values) : verifyLog({ db, pool }, readHead(values[0])),
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

async function verifyLog(
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  given: ChainHead | undefined,
): Promise<void> {
  const secrets = await findSecretBox(pool, config)
  if (secrets === undefined) {
    throw new StartupError(
      'The rows can only be verified with the secret key. Set SALUS_SECRET_KEY to that of the server.',
    )
  }
  const keys = await listAuditKeys(db, secrets)
  const { heads, changed } = await readAuditHeads(await openFiles(config), keys)
  const check = new ChainCheck({ kept: given === undefined ? heads : [...heads, given], keys })
  for await (const row of readAuditLog(db)) check.add(row)
  check.end()
  for (const damage of check.damages) console.log(describe(damage))
  for (const name of changed)
    console.log(`The stored head ${name} was changed, or its key is missing.`)
  const { sequence, hash } = check.head
  if (check.damages.length + changed.length > 0) process.exitCode = 1
  else
    console.log(
      `${check.rows.toLocaleString('en')} rows of the audit log are as they were written.`,
    )
  if (heads.length > 0) console.log(`Compared with heads in the file store: ${heads.length}.`)
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
