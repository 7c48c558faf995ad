import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../test/harness.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import { until } from '../../../test/webhooks/until.ts'

/** Receivers that a sandbox plays, with settings that let webhooks go to public addresses only. */

const salus = useFixture(createHarness)
before(() => {
  salus.startWebhooks({ timeoutMs: 10_000 })
})

/** What became of an example that was sent to an address. */
async function tryAddress(environment: 'sandbox' | 'production', url: string) {
  const base = `/team/${salus.teamId}/${environment}`
  const made = await salus.manage('POST', `${base}/webhook`, { url })
  assert.equal(made.status, 200, made.text)
  const path = `${base}/webhook/${made.body.id}`
  const body = { event_type: 'daily.data.steps.created' }
  const sent = await salus.manage('POST', `${path}/send_example`, body)
  assert.equal(sent.status, 200, sent.text)
  const [attempt] = await until('it was tried', async () => {
    const { data } = (await salus.manage('GET', `${path}/attempt`)).body
    return data.length > 0 && data
  })
  return [attempt.status, attempt.response_status_code, attempt.response_body]
}

test('each answers as its address says', async () => {
  const answerOf = (name: string) => tryAddress('sandbox', `https://receiver.salus.invalid/${name}`)
  assert.deepEqual(await answerOf('ok'), ['succeeded', 200, 'thank you'])
  assert.deepEqual(await answerOf('failing'), [
    'failed',
    500,
    'the database of this receiver is away',
  ])
  assert.deepEqual((await answerOf('unheard-of')).slice(0, 2), ['failed', 404])
})

test('nothing else of the own machine is reached through them', async () => {
  const outside = 'https://receiver.salus.invalid/../providers/oura/account'
  assert.deepEqual((await tryAddress('sandbox', outside)).slice(0, 2), ['failed', 404])
})

test('in production the name leads nowhere', async () => {
  const answer = await tryAddress('production', 'https://receiver.salus.invalid/ok')
  assert.deepEqual(answer.slice(0, 2), ['failed', null])
})
