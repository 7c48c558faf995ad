import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { StartupError } from '@salus/kernel/errors'
import { systemClock } from '@salus/kernel/time/clock'
import { findUndroppedParts, overwriteDeadRows, switchLogFile } from '@salus/rights/erasure'
import { readConfig } from '../config.ts'
import { withStores } from './reach-stores.ts'

/**
 * Runs "salus erasure clean-up", which removes what the stores themselves still hold of deleted
 * rows. The server may run meanwhile; with "full" its statements wait while a table is rewritten.
 */

const [dataDirectory = '', how = ''] = process.argv.slice(2)
const config = { ...readConfig(), dataDirectory: resolve(dataDirectory) }

/** ClickHouse keeps a file for eight minutes after it was replaced. */
const MOST_WAIT_MS = 15 * MINUTE_MS
const POLL_MS = 5_000

try {
  await withStores(config, async ({ pool, clickhouse }) => {
    const tables = await overwriteDeadRows(pool, how === 'full')
    console.log(
      how === 'full'
        ? `PostgreSQL: ${tables} tables were rewritten without deleted rows.`
        : `PostgreSQL: the space of deleted rows is free in ${tables} tables; new rows overwrite it.`,
    )
    for (const line of await switchLogFile(pool)) console.log(`PostgreSQL: ${line}`)
    const { names, detached } = await findUndroppedParts(clickhouse)
    const until = systemClock.now().getTime() + MOST_WAIT_MS
    let left = names
    while (left.length > 0 && systemClock.now().getTime() < until) {
      await sleep(POLL_MS)
      const now = new Set((await findUndroppedParts(clickhouse)).names)
      left = left.filter((name) => now.has(name))
    }
    console.log(`ClickHouse: ${names.length - left.length} outdated files were removed.`)
    for (const name of left) console.log(`ClickHouse: ${name} is still there.`)
    for (const name of detached) console.log(`ClickHouse: ${name} is detached: drop it by hand.`)
    if (left.length > 0 || detached.length > 0) process.exitCode = 1
  })
  console.log('Backups, archives of the write-ahead log and snapshots of disks are not changed.')
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(`salus: ${error.message}`)
  process.exitCode = 1
}
