import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { watchFiles } from './watch-files.ts'

const root = mkdtempSync(join(tmpdir(), 'salus-watched-'))
after(() => rmSync(root, { recursive: true }))

test('each change of a source is seen, also in new folders and by editors that replace files', async (t) => {
  mkdirSync(join(root, 'orders'))
  mkdirSync(join(root, 'node_modules'))
  writeFileSync(join(root, 'orders', 'list.ts'), '1')
  let seen: string[] = []
  const stop = watchFiles([root], (paths) => seen.push(...paths))
  t.after(stop)
  /** Does something, and waits until a file is seen. */
  const expectSeen = async (path: string, change: () => void) => {
    seen = []
    change()
    for (let tries = 0; tries < 250 && seen.length === 0; tries += 1) await delay(20)
    assert.deepEqual(seen, [join(root, path)])
  }
  for (const text of ['2', '3', '4']) {
    await expectSeen('orders/list.ts', () => writeFileSync(join(root, 'orders/list.ts'), text))
  }
  await expectSeen('orders/list.ts', () => {
    writeFileSync(join(root, 'orders/list.ts~'), '5')
    renameSync(join(root, 'orders/list.ts~'), join(root, 'orders/list.ts'))
  })
  for (const again of [false, true]) {
    if (again) rmSync(join(root, 'orders', 'placing'), { recursive: true })
    await delay(200)
    mkdirSync(join(root, 'orders', 'placing'))
    await delay(200)
  }
  await expectSeen('orders/placing/place.ts', () =>
    writeFileSync(join(root, 'orders/placing/place.ts'), '1'),
  )
  await expectSeen('orders/placing/place.ts', () => {
    writeFileSync(join(root, 'node_modules', 'package.ts'), '1')
    writeFileSync(join(root, 'orders', 'notes.txt'), '1')
    rmSync(join(root, 'orders/placing/place.ts'))
  })
})
