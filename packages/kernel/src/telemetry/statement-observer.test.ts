import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { createLogger } from '../log.ts'
import { StatementObserver } from './statement-observer.ts'

test('a statement that takes long is logged and counted, and one that waits for its turn is not', async () => {
  const lines: { text: string }[] = []
  const destination = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)))
      done()
    },
  })
  const observer = new StatementObserver({ log: createLogger('warn', destination), slowMs: 1_000 })
  const registry = new Registry()
  observer.register(registry)

  const observe = (sql: string, milliseconds: number): void =>
    observer.observe({ store: 'postgres', sql, milliseconds })
  observe('select id from users', 999)
  observe('select id from users', 1_000)
  observe('select pg_advisory_xact_lock($1)', 15_000)
  observe('select pg_advisory_lock($1)', 15_000)

  assert.deepEqual(
    lines.map(({ text }) => text),
    ['select id from users'],
  )
  assert.match(await registry.metrics(), /^salus_slow_statements_total{store="postgres"} 1$/m)
})
