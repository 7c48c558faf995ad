import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { StartupError } from '@salus/kernel/errors'
import { openDatabase } from '@salus/kernel/postgres/database'
import { checkPooling, poolingOf } from '@salus/kernel/postgres/pooling'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { noPgBouncer, type PgBouncer, startPgBouncer } from './pgbouncer.ts'

describe('the way to PostgreSQL', { skip: noPgBouncer }, () => {
  let database: TestDatabase
  let other: TestDatabase
  let transactions: PgBouncer
  let sessions: PgBouncer
  let statements: PgBouncer
  before(async () => {
    database = await createTestDatabase()
    other = await createTestDatabase()
    transactions = await startPgBouncer(database.url, { pool_mode: 'transaction' })
    sessions = await startPgBouncer(database.url, { pool_mode: 'session' })
    statements = await startPgBouncer(database.url, { pool_mode: 'statement' })
  })
  after(async () => {
    for (const pooler of [transactions, sessions, statements]) await pooler?.stop()
    await database?.close()
    await other?.close()
  })

  /** Returns how a process with these addresses reaches it, or why it does not start. */
  async function check(url: string, directUrl?: string): Promise<string> {
    const { pool, close } = openDatabase({ url, directUrl, poolSize: 2 })
    try {
      await checkPooling(pool, directUrl !== undefined)
      const { mode, preparesStatements } = poolingOf(pool)
      return `${mode}, ${preparesStatements ? 'prepared' : 'not prepared'}`
    } catch (error) {
      assert.ok(error instanceof StartupError, String(error))
      return error.message
    } finally {
      await close()
    }
  }

  test('is found: direct, by pooled sessions, by pooled transactions', async () => {
    assert.equal(await check(database.url), 'none, prepared')
    assert.equal(await check(database.url, database.url), 'none, prepared')
    assert.equal(await check(sessions.url), 'session, prepared')
    assert.equal(await check(transactions.url, database.url), 'transaction, not prepared')
    assert.equal(await check(transactions.url, sessions.url), 'transaction, not prepared')
  })

  test('is refused by the name of the setting where it keeps no sessions', async () => {
    assert.match(await check(transactions.url), /^DATABASE_URL leads to .* Set DATABASE_DIRECT_URL/)
    assert.match(await check(transactions.url, transactions.url), /^DATABASE_DIRECT_URL leads to/)
    assert.match(await check(statements.url, database.url), /^DATABASE_URL leads to .*statements/)
    assert.match(
      await check(transactions.url, other.url),
      /^DATABASE_URL and DATABASE_DIRECT_URL lead to different databases/,
    )
  })
})
