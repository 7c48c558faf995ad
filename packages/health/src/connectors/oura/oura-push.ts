import { createHmac } from 'node:crypto'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import type { Push } from '../connector.ts'
import { readJson, VendorError, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { SLUG } from './oura-pages.ts'

/**
 * Types of change that the vendor pushes, and the collection that brings them. Heart rates are only
 * polled.
 */
const COLLECTION_OF: Readonly<Record<string, string>> = {
  daily_activity: 'daily_activity',
  sleep: 'sleep',
  daily_sleep: 'sleep',
  daily_readiness: 'sleep',
  daily_spo2: 'daily_spo2',
  daily_stress: 'daily_stress',
  vo2_max: 'vo2_max',
  workout: 'workout',
  ring_configuration: 'ring_configuration',
}
/** Deletions are not subscribed: there is nothing to pull. */
const SUBSCRIBED = Object.keys(COLLECTION_OF).flatMap((dataType) =>
  ['create', 'update'].map((eventType) => [dataType, eventType] as const),
)

const SUBSCRIPTIONS = '/v2/webhook/subscription'

/**
 * Token that the vendor sends when it verifies the address. It derives from the secret and needs no
 * storage.
 */
const verificationTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update('webhook verification').digest('hex')

export const OURA_PUSH: Push = {
  signedAt({ headers }) {
    const seconds = headers['x-oura-timestamp'] ?? ''
    return /^\d{1,11}$/.test(seconds) ? Number(seconds) * 1000 : Number.NaN
  },

  verify({ headers, body }, { clientSecret: secret }) {
    const { 'x-oura-signature': signature = '', 'x-oura-timestamp': timestamp = '' } = headers
    const expected = createHmac('sha256', secret).update(timestamp).update(body).digest('hex')
    return timestamp !== '' && isEqualSecret(signature.toLowerCase(), expected)
  },

  answerHandshake({ method, query }, { clientSecret }) {
    const { verification_token: token, challenge } = query
    if (method !== 'GET' || token === undefined || challenge === undefined) return undefined
    if (!isEqualSecret(token, verificationTokenOf(clientSecret))) return undefined
    return { status: 200, body: JSON.stringify({ challenge }) }
  },

  read(body) {
    const { user_id: accountId, data_type: type } = isFields(body) ? body : {}
    if (typeof accountId !== 'string' || typeof type !== 'string') {
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    }
    // The documentation has used both spellings.
    const collection = COLLECTION_OF[type.toLowerCase()]
    return collection === undefined ? [] : [{ accountId, collection, range: null }]
  },

  async subscribe(send, { clientId, clientSecret }, callbackUrl) {
    const headers = { 'x-client-id': clientId, 'x-client-secret': clientSecret }
    const fetchJson = async (request: VendorRequest) =>
      readJson(SLUG, await send({ ...request, headers }))
    const known = subscriptionsOf(await fetchJson({ path: SUBSCRIPTIONS }))
    for (const [dataType, eventType] of SUBSCRIBED) {
      const subscription = known.get(`${dataType} ${eventType}`)
      const id = encodeURIComponent(String(subscription?.id))
      const json = {
        callback_url: callbackUrl,
        verification_token: verificationTokenOf(clientSecret),
        event_type: eventType,
        data_type: dataType,
      }
      if (subscription === undefined) await fetchJson({ method: 'POST', path: SUBSCRIPTIONS, json })
      else if (subscription.callback_url !== callbackUrl) {
        await fetchJson({ method: 'PUT', path: `${SUBSCRIPTIONS}/${id}`, json })
      } else {
        // A subscription ends after some months unless it is renewed.
        await fetchJson({ method: 'PUT', path: `${SUBSCRIPTIONS}/renew/${id}` })
      }
    }
    return undefined
  },
}

/** Returns the subscriptions of an app by type of change and event. */
function subscriptionsOf(answer: unknown): Map<string, Record<string, unknown>> {
  if (!Array.isArray(answer)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  const known = answer.filter(isFields)
  return new Map(
    known.map((one) => [`${String(one.data_type).toLowerCase()} ${one.event_type}`, one]),
  )
}
