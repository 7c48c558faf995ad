import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findTestsBeside } from './watch.ts'

const root = mkdtempSync(join(tmpdir(), 'salus-watch-'))
after(() => rmSync(root, { recursive: true }))

test('a change runs the tests of its folder, and a changed test itself', () => {
  mkdirSync(join(root, 'orders', 'placing'), { recursive: true })
  const files = ['orders/list.ts', 'orders/list.test.ts', 'orders/list.long.test.ts']
  files.push('orders/placing/place.test.ts', 'orders/placing/kits.test.ts')
  for (const file of files) writeFileSync(join(root, file), '')
  assert.deepEqual(findTestsBeside(['orders/list.ts'], root), ['orders/list.test.ts'])
  assert.deepEqual(findTestsBeside(['orders/placing/kits.test.ts', 'orders/list.ts'], root), [
    'orders/list.test.ts',
    'orders/placing/kits.test.ts',
  ])
  assert.deepEqual(findTestsBeside(['orders/removed.test.ts', 'docs/orders.json'], root), [])
})
