import { createHmac } from 'node:crypto'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import type { Push, PushNotice } from '../connector.ts'
import { readJson, VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { SLUG } from './strava-pages.ts'

const SUBSCRIPTIONS = '/api/v3/push_subscriptions'

/** Secret of the app under which `subscribe` keeps the id of the subscription. */
const SUBSCRIPTION_ID = 'subscription_id'

/**
 * Token that the vendor sends when it verifies the address. It derives from the secret and needs no
 * storage.
 */
const verifyTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update('strava webhook verification').digest('hex')

/** `t=1780000000,v1=6f…`; undefined for a message without a signature. */
function signatureOf(header: string | undefined): { time: string; signature: string } | undefined {
  if (header === undefined) return undefined
  const parts = new Map(
    header.split(',').map((part) => part.trim().split('=', 2) as [string, string]),
  )
  return { time: parts.get('t') ?? '', signature: (parts.get('v1') ?? '').toLowerCase() }
}

const idOf = (value: unknown): string | undefined => {
  const isId = Number.isSafeInteger(value) || (typeof value === 'string' && value !== '')
  return isId ? String(value) : undefined
}

/** Messages of the vendor: one subscription for all people of an app. */
export const STRAVA_PUSH: Push = {
  hasSecretAddress: true,

  signedAt({ headers, receivedAt }) {
    const signed = signatureOf(headers['x-strava-signature'])
    if (signed === undefined) return receivedAt.getTime()
    return /^\d{1,11}$/.test(signed.time) ? Number(signed.time) * 1000 : Number.NaN
  },

  /** Not every message is signed; one that is not must name the subscription of the app. */
  verify({ headers, body }, { clientSecret, secrets = {} }) {
    const signed = signatureOf(headers['x-strava-signature'])
    if (signed !== undefined) {
      const { time, signature } = signed
      const text = createHmac('sha256', clientSecret).update(`${time}.`).update(body)
      return time !== '' && isEqualSecret(signature, text.digest('hex'))
    }
    const own = secrets[SUBSCRIPTION_ID]
    const named = subscriptionIdOf(body)
    return own !== undefined && named !== undefined && isEqualSecret(named, own)
  },

  answerHandshake({ method, query }, { clientSecret }) {
    const { 'hub.challenge': challenge, 'hub.verify_token': token } = query
    if (method !== 'GET' || challenge === undefined || token === undefined) return undefined
    if (!isEqualSecret(token, verifyTokenOf(clientSecret))) return undefined
    return { status: 200, body: JSON.stringify({ 'hub.challenge': challenge }) }
  },

  read(body) {
    const { object_type: type, owner_id, object_id } = isFields(body) ? body : {}
    const [accountId, id] = [idOf(owner_id), idOf(object_id)]
    if (!isFields(body) || accountId === undefined || typeof type !== 'string') {
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    }
    const notice = (collection: string | null): PushNotice => ({
      accountId,
      collection,
      range: null,
    })
    if (type === 'athlete') {
      const { authorized } = isFields(body.updates) ? body.updates : {}
      return [notice(String(authorized) === 'false' ? null : 'athlete')]
    }
    if (type !== 'activity' || id === undefined) return []
    return [{ ...notice('activities'), record: { id, isDeleted: body.aspect_type === 'delete' } }]
  },

  async subscribe(send, { clientId, clientSecret }, callbackUrl) {
    const app = { client_id: clientId, client_secret: clientSecret }
    const known = readJson(SLUG, await send({ path: SUBSCRIPTIONS, query: app }))
    if (!Array.isArray(known)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    // An app has one.
    const [present] = known.filter(isFields)
    const presentId = idOf(present?.id)
    if (presentId !== undefined && present?.callback_url === callbackUrl) {
      return { [SUBSCRIPTION_ID]: presentId }
    }
    if (presentId !== undefined) {
      const path = `${SUBSCRIPTIONS}/${encodeURIComponent(presentId)}`
      readJson(SLUG, await send({ method: 'DELETE', path, query: app }))
    }
    const form = { ...app, callback_url: callbackUrl, verify_token: verifyTokenOf(clientSecret) }
    const made = readJson(SLUG, await send({ method: 'POST', path: SUBSCRIPTIONS, form }))
    const id = isFields(made) ? idOf(made.id) : undefined
    if (id === undefined) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    return { [SUBSCRIPTION_ID]: id }
  },
}

function subscriptionIdOf(body: Buffer): string | undefined {
  try {
    const message: unknown = JSON.parse(body.toString('utf8'))
    return isFields(message) ? idOf(message.subscription_id) : undefined
  } catch {
    return undefined
  }
}
