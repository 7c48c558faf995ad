import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import {
  LOCAL_TABLES,
  REFERENCE_TABLES,
  STATEMENTS_OF_ALL,
} from '../distributed-tables.registry.ts'
import type { RouteWalk } from './route-walk.ts'

/**
 * Records the texts of statements that the query builder sends in this process. Tests and the
 * kernel give texts instead of objects.
 */
export function recordStatements(): { texts: Set<string>; stop(): void } {
  const texts = new Set<string>()
  const { query } = pg.Client.prototype
  const record = function (this: pg.Client, ...given: unknown[]) {
    const { text } = (given[0] ?? {}) as { text?: unknown }
    if (typeof text === 'string') texts.add(text.replaceAll(/\s+/g, ' ').trim())
    return Reflect.apply(query, this, given)
  }
  pg.Client.prototype.query = record as typeof query
  return {
    texts,
    stop() {
      pg.Client.prototype.query = query
    },
  }
}

export function describeStatements(getWalk: () => RouteWalk, texts: ReadonlySet<string>): void {
  test('statements on tables that are cut by environment name it, except those that are listed', async () => {
    const { rows } = await getWalk().harness.database.pool.query<{ name: string }>(
      `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    const names = rows
      .map(({ name }) => name)
      .filter((name) => !(name in REFERENCE_TABLES || name in LOCAL_TABLES))
    const use = new RegExp(
      String.raw`\b(?:from|join|into|update|using)\s+"?(?:${names.join('|')})\b`,
    )
    const used = [...texts].filter((text) => use.test(text))
    assert.ok(used.length > 300, `${used.length} statements`)
    const without = used.filter((text) => !text.includes('environment_id'))
    const patterns = STATEMENTS_OF_ALL.map(({ pattern }) => pattern)
    assert.deepEqual(
      without.filter((text) => !patterns.some((pattern) => pattern.test(text))),
      [],
    )
    assert.deepEqual(
      patterns.filter((pattern) => !without.some((text) => pattern.test(text))),
      [],
    )
  })
}
