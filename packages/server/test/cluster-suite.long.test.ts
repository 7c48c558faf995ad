import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** The domains that store in ClickHouse, and what works across them. */
const PARTS = [
  'health/src',
  'accounts/src',
  'fhir/src',
  'rights/src',
  'server/src/operation',
  'store-copy',
]

test('all that stores in ClickHouse does so on two shards', async () => {
  const { NODE_TEST_CONTEXT: _, SALUS_TEST_LONG: __, ...env } = process.env
  const child = spawn(
    process.execPath,
    ['scripts/test.ts', '--ring=quick', '--ring=system', ...PARTS],
    {
      cwd: ROOT,
      env: { ...env, SALUS_TEST_CLICKHOUSE: 'cluster' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output.slice(output.indexOf('What failed')))
  assert.match(output, /\d{3,} passed, 0 failed/)
})
