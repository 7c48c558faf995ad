import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { verifyWebhook } from '@salus/sdk/webhooks'
import { startReceiver } from '../testing/local-server.ts'
import { forwardEvent, makeSecret } from './webhook-forwarding.ts'

const SECRET = makeSecret()
/** An answer that comes does so in time, however busy the machine is. */
const TIMEOUT_MS = 5000
const WAITS_MS = [20, 50, 200]
// Written in a way that parsing and serializing again would change.
const BODY = '{ "event_type":"a.b", "data":{"note":"\\u00e9é"}, "team_id":"t" }'
const EVENT = { position: '3', id: 'msg_3', event_type: 'a.b', created_at: 'now', body: BODY }

async function forward(
  url: string,
  { signal = new AbortController().signal, timeoutMs = TIMEOUT_MS } = {},
) {
  const said: string[] = []
  const target = { url, secret: SECRET, timing: { timeoutMs, waitsMs: WAITS_MS } }
  const isTaken = await forwardEvent(target, EVENT, (text) => said.push(text), signal)
  return { isTaken, said }
}

describe('forwarding an event', () => {
  it('sends the exact body, signed under both sets of names', async (t) => {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const { isTaken, said } = await forward(`${receiver.url}/hook?a=1`)
    assert.ok(isTaken)
    assert.match(said.join(), /^ {2}→ 204 in \d+ ms {2}msg_3$/)
    const { headers, body } = receiver.messages[0] ?? { headers: {}, body: '' }
    assert.equal(body, BODY)
    assert.equal(headers['content-type'], 'application/json')
    for (const prefix of ['webhook', 'svix']) {
      const names = Object.entries(headers).filter(([name]) => name.startsWith(`${prefix}-`))
      assert.equal(names.length, 3)
      assert.equal(verifyWebhook(body, Object.fromEntries(names), SECRET).event_type, 'a.b')
    }
  })

  it('tries again until the receiver is there', async (t) => {
    const gone = await startReceiver()
    await gone.close()
    const running = forward(gone.url)
    await new Promise((resolve) => setTimeout(resolve, 40))
    const receiver = await startReceiver(undefined, gone.port)
    t.after(() => receiver.close())
    const { isTaken, said } = await running
    assert.ok(isTaken)
    assert.match(said[0] ?? '', /→ connection refused in \d+ ms {2}msg_3; again in 0\.0 s$/)
    assert.equal(receiver.messages.length, 1)
  })

  it('gives up after a few answers that are no success, a redirect among them', async (t) => {
    const statuses = [500, 302, 404, 400]
    const receiver = await startReceiver(() => statuses.shift())
    t.after(() => receiver.close())
    const { isTaken, said } = await forward(receiver.url)
    assert.ok(!isTaken)
    assert.deepEqual(
      said.map((text) => /→ (\d+)/.exec(text)?.[1]),
      ['500', '302', '404', '400'],
    )
    assert.match(said.at(-1) ?? '', /given up after 4 tries$/)
  })

  it('does not wait for an answer that never comes', async (t) => {
    const receiver = await startReceiver(() => undefined)
    t.after(() => receiver.close())
    const { isTaken, said } = await forward(receiver.url, { timeoutMs: 100 })
    assert.ok(!isTaken)
    assert.match(said[0] ?? '', /→ no response in .+; again in /)
  })

  it('ends with the reason of the signal, while it sends and while it waits', async (t) => {
    const silent = await startReceiver(() => undefined)
    const failing = await startReceiver(() => 500)
    t.after(() => Promise.all([silent.close(), failing.close()]))
    for (const { url } of [silent, failing]) {
      const controller = new AbortController()
      setTimeout(() => controller.abort(new Error('Enough.')), 30)
      await assert.rejects(forward(url, { signal: controller.signal }), /Enough\./)
    }
  })
})
