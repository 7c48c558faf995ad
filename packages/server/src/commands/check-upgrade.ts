import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Migration } from '@salus/kernel/migrations'
import { listPendingPostgres } from '@salus/kernel/postgres/migrate-postgres'
import { findUnknownSettings, listRefusals, readConfig } from '../config.ts'
import { countConnections } from '../operation/index.ts'
import { readAllMigrations } from '../stores.ts'
import { runOnDatabase } from './reach-database.ts'

/**
 * Checks whether this version starts with the settings and the database of the one that runs.
 * Changes nothing, and exits with 1 when a start would fail.
 */

const [dataDirectory = ''] = process.argv.slice(2)

function describeMigrations(pending: readonly Migration[]): string {
  if (pending.length === 0) return 'ok       The schema of PostgreSQL is that of this version'
  const names = pending.map(({ number, name }) => `${String(number).padStart(4, '0')} ${name}`)
  const [first = ''] = names
  if (names.length === 1) return `ok       A start applies the migration ${first} to PostgreSQL`
  return `ok       A start applies ${names.length} migrations to PostgreSQL: ${first} to ${names.at(-1)}`
}

const refusals = listRefusals()
for (const refusal of refusals) console.log(`PROBLEM  ${refusal}`)
for (const { name, nearest } of findUnknownSettings()) {
  console.log(
    `PROBLEM  Unknown setting ${name}${nearest ? `, did you mean ${nearest}?` : ', which has no effect'}`,
  )
}
if (refusals.length > 0) process.exitCode = 1
else {
  console.log('ok       This version takes the value of every setting')
  await checkPostgres()
}

async function checkPostgres(): Promise<void> {
  const config = { ...readConfig(), dataDirectory: resolve(dataDirectory) }
  const isNew = config.databaseUrl === undefined && !existsSync(join(dataDirectory, 'postgres'))
  if (isNew) return console.log('skipped  PostgreSQL: a start creates it')
  await runOnDatabase(config, async ({ db, pool }) => {
    console.log(describeMigrations(await listPendingPostgres(pool, readAllMigrations().postgres)))
    const { used, most } = await countConnections(db)
    const needed = config.databaseConnections
    const line = `PostgreSQL has ${used} of ${most} connections; a process takes up to ${needed} (SALUS_DATABASE_CONNECTIONS)`
    // The process that is replaced returns its own.
    const isEnough = needed <= most
    console.log(`${isEnough ? 'ok     ' : 'PROBLEM'}  ${line}`)
    if (!isEnough) process.exitCode = 1
  })
}
