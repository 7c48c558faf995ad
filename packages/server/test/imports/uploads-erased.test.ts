import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eraseDeletedUsers } from '@salus/rights/erasure'
import { createHarness } from '../harness.ts'
import { useFixture } from '../use-fixture.ts'
import { append, createUpload, offsetOf, openAppend } from './upload-client.ts'

const salus = useFixture(createHarness)
let served: { baseUrl: string; apiKey: string }
before(async () => {
  const baseUrl = await salus.app.listen({ port: 0, host: '127.0.0.1' })
  served = { baseUrl, apiKey: salus.apiKey }
})

test('an erasure removes uploads of the user, also one to which a request still writes', async () => {
  const userId = await salus.makeUser()
  const other = await createUpload(salus, await salus.makeUser(), 10)
  await append(salus, other, 0, '01234')
  const complete = await createUpload(salus, userId, 5)
  await append(salus, complete, 0, '01234')
  const growing = await createUpload(salus, userId, 300_000)
  const { sending, answer } = openAppend(served, growing, 0, 300_000)
  sending.write(Buffer.alloc(100_000, 1))
  while ((await offsetOf(salus, growing)) < 100_000) await sleep(10)

  const asked = await salus.call('POST', `/v2/user/${userId}/erasure`)
  salus.clock.advance(121)
  const stores = { ...salus.dependencies, pool: salus.database.pool }
  await eraseDeletedUsers(stores, new AbortController().signal)
  const { body } = await salus.call('GET', `/v2/erasure/${asked.body.id}`)
  assert.deepEqual([body.status, body.statement.removed.files.imports], ['completed', 2])

  sending.end(Buffer.alloc(200_000, 1))
  assert.equal((await answer).status, 423)
  const folder = join(salus.config.dataDirectory, 'files', 'imports')
  assert.deepEqual(readdirSync(folder), [`${other.split('/').at(-1)}.partial`])
})
