import { createHmac } from 'node:crypto'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import type { Push, VendorApp } from '../connector.ts'
import { failureOfStatus, readJson, VendorError, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { rangeOfDate, SLUG, unexpected } from './polar-pages.ts'

const COLLECTION_OF: Readonly<Record<string, string>> = {
  EXERCISE: 'exercises',
  SLEEP: 'sleep',
  CONTINUOUS_HEART_RATE: 'continuous_heart_rate',
  ACTIVITY_SUMMARY: 'activities',
  PHYSICAL_INFORMATION: 'physical_info',
}
const EVENTS = Object.keys(COLLECTION_OF)

const WEBHOOKS = '/v3/webhooks'

/** Name of the key of messages among the secrets of an app. */
export const SIGNATURE_KEY = 'signature_secret_key'

export const POLAR_PUSH: Push = {
  verify({ headers, body }, { secrets }) {
    const key = secrets?.[SIGNATURE_KEY]
    if (key === undefined || key === '') return false
    const sent = (headers['polar-webhook-signature'] ?? '').toLowerCase()
    return isEqualSecret(sent, createHmac('sha256', key).update(body).digest('hex'))
  },

  /**
   * The vendor verifies an address before the key of its messages exists, so that this message
   * cannot be verified. It has no effect.
   */
  answerHandshake({ method, body }) {
    const isPing =
      method === 'POST' && body.length < 1000 && /"event"\s*:\s*"PING"/.test(String(body))
    return isPing ? { status: 200, body: '' } : undefined
  },

  read(body) {
    if (!isFields(body) || typeof body.event !== 'string') throw unexpected()
    const { event, user_id: user, date, entity_id: id } = body
    if (typeof user !== 'number' && typeof user !== 'string') {
      if (event === 'PING') return []
      throw unexpected()
    }
    const collection = Object.hasOwn(COLLECTION_OF, event) ? COLLECTION_OF[event] : undefined
    if (collection === undefined) return []
    const notice = {
      accountId: String(user),
      collection,
      range: typeof date === 'string' ? rangeOfDate(date) : null,
    }
    const isRecord = collection === 'exercises' && typeof id === 'string' && id !== ''
    return [isRecord ? { ...notice, record: { id, isDeleted: false } } : notice]
  },

  /** A client has one webhook, and its key is in the answer that creates it and nowhere else. */
  async subscribe(send, app, callbackUrl) {
    const ask = async (request: VendorRequest) =>
      readJson(SLUG, await send({ ...request, headers: basic(app) }))
    const answer = await ask({ path: WEBHOOKS })
    const list = isFields(answer) ? [answer.data ?? []].flat().filter(isFields) : []
    const [known] = list
    const wanted = { events: EVENTS, url: callbackUrl }
    if (known !== undefined && app.secrets?.[SIGNATURE_KEY]) {
      const path = `${WEBHOOKS}/${encodeURIComponent(String(known.id))}`
      const events = new Set([known.events].flat())
      const isSame = known.url === callbackUrl && EVENTS.every((event) => events.has(event))
      if (!isSame) await ask({ method: 'PATCH', path, json: wanted })
      // The vendor deactivates a webhook after a week of failures.
      if (known.active === false) await ask({ method: 'POST', path: `${WEBHOOKS}/activate` })
      return undefined
    }
    for (const { id } of list) {
      const path = `${WEBHOOKS}/${encodeURIComponent(String(id))}`
      const failure = failureOfStatus(await send({ method: 'DELETE', path, headers: basic(app) }))
      const isGone = failure?.kind === 'unexpected' && failure.status === 404
      if (failure !== undefined && !isGone) throw new VendorError(SLUG, failure)
    }
    const created = await ask({ method: 'POST', path: WEBHOOKS, json: wanted })
    const key = isFields(created) && isFields(created.data) && created.data[SIGNATURE_KEY]
    if (typeof key !== 'string') throw unexpected()
    return { [SIGNATURE_KEY]: key }
  },
}

const basic = ({ clientId, clientSecret }: VendorApp) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
})
