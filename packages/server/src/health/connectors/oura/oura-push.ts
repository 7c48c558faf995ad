import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Push } from '../connector.ts'
import { readJson, VendorError, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { SLUG } from './oura-pages.ts'

/** What the vendor tells changes of, and the collection that brings them. Heart rates are only polled. */
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
/** A deletion needs no message: there is nothing to bring. */
const EVENT_TYPES = ['create', 'update']

const SUBSCRIPTIONS = '/v2/webhook/subscription'

/** The vendor shows it when it asks whether an address is ours: made of the secret, it needs no place to be kept. */
const verificationTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update('webhook verification').digest('hex')

const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export const OURA_PUSH: Push = {
  /** A message that comes again later is verified again: it makes a pull, and nothing else. */
  verify({ headers, body }, secret) {
    const { 'x-oura-signature': signature = '', 'x-oura-timestamp': timestamp = '' } = headers
    const expected = createHmac('sha256', secret).update(timestamp).update(body).digest('hex')
    return timestamp !== '' && isEqual(signature.toLowerCase(), expected)
  },

  answerChallenge({ verification_token: token, challenge }, secret) {
    if (token === undefined || challenge === undefined) return undefined
    const isOurs = isEqual(token, verificationTokenOf(secret))
    return isOurs ? JSON.stringify({ challenge }) : undefined
  },

  read(body) {
    const { user_id: accountId, data_type: type } = isFields(body) ? body : {}
    if (typeof accountId !== 'string' || typeof type !== 'string') {
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    }
    // The documentation has written it in both ways.
    const collection = COLLECTION_OF[type.toLowerCase()]
    return collection === undefined ? [] : [{ accountId, collection, range: null }]
  },

  async subscribe(send, { clientId, clientSecret }, callbackUrl) {
    const headers = { 'x-client-id': clientId, 'x-client-secret': clientSecret }
    const ask = async (request: VendorRequest) =>
      readJson(SLUG, await send({ ...request, headers }))
    const known = subscriptionsTo(callbackUrl, await ask({ path: SUBSCRIPTIONS }))
    for (const dataType of Object.keys(COLLECTION_OF)) {
      for (const eventType of EVENT_TYPES) {
        const id = known.get(`${dataType} ${eventType}`)
        if (id !== undefined) {
          // A subscription ends after some months, unless it is renewed.
          await ask({ method: 'PUT', path: `${SUBSCRIPTIONS}/renew/${encodeURIComponent(id)}` })
          continue
        }
        const json = {
          callback_url: callbackUrl,
          verification_token: verificationTokenOf(clientSecret),
          event_type: eventType,
          data_type: dataType,
        }
        await ask({ method: 'POST', path: SUBSCRIPTIONS, json })
      }
    }
  },
}

/** Ids of the subscriptions of an address, by what they tell of. */
function subscriptionsTo(callbackUrl: string, answer: unknown): Map<string, string> {
  if (!Array.isArray(answer)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  const ours = answer.filter(isFields).filter(({ callback_url: url }) => url === callbackUrl)
  return new Map(
    ours.map(({ id, data_type: dataType, event_type: eventType }) => [
      `${String(dataType).toLowerCase()} ${eventType}`,
      String(id),
    ]),
  )
}
