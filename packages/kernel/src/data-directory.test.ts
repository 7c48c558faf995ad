import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDataDirectory } from './data-directory.ts'
import { StartupError } from './errors.ts'

const MODULE = new URL('./data-directory.ts', import.meta.url).href
const IS_ROOT = process.getuid?.() === 0

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'salus-data-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Takes the folder in another process, which keeps it until it is killed. */
async function takeElsewhere(t: TestContext, path: string) {
  const script = `
    const { openDataDirectory } = await import(${JSON.stringify(MODULE)})
    globalThis.kept = openDataDirectory(process.argv[1])
    console.log('taken')
    process.stdin.resume()
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

test('the folder is made, closed to other users, and can be taken again after release', (t) => {
  const path = join(makeFolder(t), 'deep', 'data')
  const directory = openDataDirectory(path)
  assert.equal(directory.path, path)
  assert.equal(statSync(path).mode & 0o777, IS_ROOT ? 0o711 : 0o700)
  directory.release()
  directory.release()
  openDataDirectory(path).release()
  assert.deepEqual(readdirSync(path), ['salus.lock'])
})

test('a second process is refused, and a killed one lets go', async (t) => {
  const path = makeFolder(t)
  const child = await takeElsewhere(t, path)
  assert.throws(
    () => openDataDirectory(path),
    new StartupError(
      `Another Salus process uses the data directory ${path}. ` +
        'Stop it, or set SALUS_DATA_DIR to another folder.',
    ),
  )
  child.kill('SIGKILL')
  await once(child, 'exit')
  openDataDirectory(path).release()
})

test('a file in place of the folder is refused in one line', (t) => {
  const file = join(makeFolder(t), 'data')
  writeFileSync(file, '')
  assert.throws(() => openDataDirectory(file), /data is a file or lies below one/)
  assert.throws(() => openDataDirectory(join(file, 'below')), /below is a file or lies below one/)
})

test('a folder that cannot be written is refused in one line', async (t) => {
  // Rights do not stop root, but this file system does.
  const path = IS_ROOT ? '/sys/salus' : makeFolder(t)
  if (IS_ROOT && process.platform !== 'linux') return t.skip('root may write everywhere')
  if (!IS_ROOT) chmodSync(path, 0o500)
  assert.throws(() => openDataDirectory(path), /cannot be written \(.+\)\. Change its owner/)
})
