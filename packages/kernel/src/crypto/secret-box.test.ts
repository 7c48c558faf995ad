import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../server/test/database.ts'
import { createSecretBox } from './secret-box.ts'
import { openSecretBox } from './secret-key.ts'

const key = () => randomBytes(32)

describe('a secret box', () => {
  test('opens what it sealed, and seals the same text differently each time', () => {
    const box = createSecretBox([key()])
    const [first, second] = [box.seal('whsec_ä', 'one'), box.seal('whsec_ä', 'one')]
    assert.equal(box.open(first, 'one'), 'whsec_ä')
    assert.notDeepEqual(first, second)
    assert.equal(first.includes(Buffer.from('whsec')), false)
  })

  test('refuses another context, a changed byte and a key that it does not have', () => {
    const box = createSecretBox([key()])
    const sealed = box.seal('text', 'one')
    assert.throws(() => box.open(sealed, 'two'))
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      assert.throws(() => box.open(changed, 'one'), `byte ${index}`)
    }
    assert.throws(() => createSecretBox([key()]).open(sealed, 'one'))
  })

  test('opens by a former key and seals by the first', () => {
    const [former, next] = [key(), key()]
    const sealed = createSecretBox([former]).seal('text', 'one')
    const box = createSecretBox([next, former])
    assert.equal(box.open(sealed, 'one'), 'text')
    assert.equal(createSecretBox([next]).open(box.seal('new', 'one'), 'one'), 'new')
  })
})

describe('the key of a deployment', () => {
  let database: TestDatabase
  const directory = mkdtempSync(join(tmpdir(), 'salus-secret-'))
  before(async () => {
    database = await createTestDatabase()
  })
  after(async () => {
    await database.close()
    rmSync(directory, { recursive: true })
  })

  test('is made once, readable by its owner alone, and found again', async () => {
    const first = await openSecretBox(database.pool, undefined, directory)
    const path = join(directory, 'secret.key')
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const second = await openSecretBox(database.pool, undefined, directory)
    assert.equal(second.open(first.seal('text', 'one'), 'one'), 'text')
  })

  test('must be the one that the database was used with', async () => {
    await assert.rejects(openSecretBox(database.pool, [key()], directory), {
      name: 'StartupError',
      message: /SALUS_SECRET_KEY/,
    })
    const kept = Buffer.from(readFileSync(join(directory, 'secret.key'), 'utf8'), 'base64')
    await openSecretBox(database.pool, [key(), kept], directory)
  })

  test('is made anew where a kill of an earlier version left an empty file, unless it was in use', async () => {
    const other = await createTestDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'salus-secret-'))
    const path = join(folder, 'secret.key')
    writeFileSync(path, '')
    await openSecretBox(other.pool, undefined, folder)
    assert.equal(Buffer.from(readFileSync(path, 'utf8'), 'base64').length, 32)
    writeFileSync(path, '')
    await assert.rejects(openSecretBox(other.pool, undefined, folder), { message: /another/ })
    await other.close()
    rmSync(folder, { recursive: true })
  })

  test('is not guessed from a damaged file', async () => {
    const damaged = mkdtempSync(join(tmpdir(), 'salus-secret-'))
    writeFileSync(join(damaged, 'secret.key'), 'abc')
    await assert.rejects(openSecretBox(database.pool, undefined, damaged), {
      name: 'StartupError',
      message: /secret\.key/,
    })
    rmSync(damaged, { recursive: true })
  })
})
