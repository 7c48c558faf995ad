import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { type Answer, createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)

const call = (method: string, url: string, body?: unknown): Promise<Answer> =>
  harness.call(method, url, body)

describe('devices', () => {
  const upload = (userId: string, ...metadata: object[]) =>
    call('POST', `/v2/timeseries/${userId}/heartrate`, {
      stage: 'daily',
      provider: 'manual',
      data: metadata.map((fields, index) => ({
        value: 60 + index,
        unit: 'bpm',
        start_date: `2026-02-20T08:00:${String(index).padStart(2, '0')}Z`,
        type: 'watch',
        source_bundle: 'com.example.health',
        metadata: fields,
      })),
    })

  test('are known from the data, each once, oldest first', async () => {
    const userId = await harness.makeUser('manual')
    assert.deepEqual((await call('GET', `/v2/user/${userId}/device`)).body, [])
    const watch = { _DMO: 'Watch7,5', _DMA: 'Apple', _DSV: '11.0', _DID: 'watch-1' }
    await upload(userId, watch, watch)
    harness.clock.advance(1)
    await upload(userId, { ...watch, _DSV: '11.1' }, { _DMO: 'Band 8', _DMA: 'Xiaomi' })
    const { body } = await call('GET', `/v2/user/${userId}/device`)
    const shared = {
      user_id: userId,
      provider: 'manual',
      source_type: 'watch',
      app_id: 'com.example.health',
    }
    assert.deepEqual(body, [
      {
        id: body[0].id,
        ...shared,
        device_manufacturer: 'Apple',
        device_model: 'Watch7,5',
        device_version: '11.1',
        device_id: 'watch-1',
      },
      {
        id: body[1].id,
        ...shared,
        device_manufacturer: 'Xiaomi',
        device_model: 'Band 8',
        device_version: null,
        device_id: null,
      },
    ])
    for (const device of body) {
      const one = await call('GET', `/v2/user/${userId}/device/${device.id}`)
      assert.deepEqual(one.body, device)
    }
  })

  test('are 404 when unknown or of another user', async () => {
    const owner = await harness.makeUser('manual')
    await upload(owner, { _DMO: 'Watch7,5' })
    const [device] = (await call('GET', `/v2/user/${owner}/device`)).body
    const other = await harness.makeUser('manual')
    const missing = [`${other}/device/${device.id}`, `${owner}/device/${newId()}`]
    for (const path of [...missing, `${newId()}/device`]) {
      assert.equal((await call('GET', `/v2/user/${path}`)).status, 404, path)
    }
  })
})
