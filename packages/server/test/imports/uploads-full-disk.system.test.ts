import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createHarness } from '../harness.ts'
import { useFixture } from '../use-fixture.ts'
import { append, createUpload, offsetOf } from './upload-client.ts'

const MIB = 1024 ** 2
const salus = useFixture(createHarness)

test('an upload onto a full disk gets 503, keeps what it has, and continues when there is space', async (t) => {
  const folder = join(salus.config.dataDirectory, 'files', 'imports')
  mkdirSync(folder, { recursive: true })
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
  if (mounted.status !== 0) return t.skip('Only root can mount a small disk.')
  t.after(() => execFileSync('umount', [folder]))
  writeFileSync(join(folder, 'other'), randomBytes(MIB))
  const content = randomBytes(1.5 * MIB)
  const userId = await salus.makeUser()
  const url = await createUpload(salus, userId, content.length)
  const refused = await append(salus, url, 0, content)
  assert.deepEqual([refused.status, refused.body.detail.error_type], [503, 'storage_full'])
  assert.equal(refused.headers['retry-after'], '1')
  const offset = await offsetOf(salus, url)
  assert.ok(offset > MIB / 2 && offset < content.length, `${offset}`)
  const again = await append(salus, url, offset, content.subarray(offset))
  assert.equal(again.status, 503)
  rmSync(join(folder, 'other'))
  assert.equal((await append(salus, url, offset, content.subarray(offset))).status, 204)
  const stored = await salus.files.read('imports', url.split('/').at(-1) ?? '')
  assert.ok(stored.equals(content))
})
