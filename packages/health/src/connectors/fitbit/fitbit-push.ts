import { createHmac } from 'node:crypto'
import { HOUR_MS } from '@salus/contracts/time-units'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import { parseDate, startOfUtcDay } from '@salus/kernel/time/instants'
import type { Push, PushNotice } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { PERSON, unexpected } from './fitbit-pages.ts'

/** Kinds of messages, and the collections whose data of the day changed. */
const COLLECTIONS: Readonly<Record<string, readonly string[]>> = {
  activities: ['activities', 'heart', 'steps', 'activity_logs'],
  body: ['body'],
  foods: ['foods'],
  sleep: ['sleep', 'br'],
}
/** The person ended the access, or deleted the account. */
const ENDS = new Set<unknown>(['userRevokedAccess', 'deleteUser'])
const SUBSCRIBED = [...Object.keys(COLLECTIONS), 'userRevokedAccess']

export const FITBIT_PUSH: Push = {
  verify({ headers, body }, { clientSecret }) {
    const expected = createHmac('sha1', `${clientSecret}&`).update(body).digest('base64')
    return isEqualSecret(headers['x-fitbit-signature'] ?? '', expected)
  },

  // The vendor also sends a wrong code, which must get 404, as any request that is not known.
  answerHandshake({ method, query }, { secrets }) {
    const [given, expected] = [query.verify, secrets?.verification_code]
    const isRight = method === 'GET' && given !== undefined && isEqualSecret(given, expected ?? '')
    return isRight && given !== '' ? { status: 204, body: '' } : undefined
  },

  acceptedStatus: 204,

  read(body) {
    if (!Array.isArray(body)) throw unexpected()
    return body.flatMap((message): PushNotice[] => {
      const { collectionType: type, ownerId, date: text } = isFields(message) ? message : {}
      if (typeof ownerId !== 'string' || typeof type !== 'string') throw unexpected()
      if (ENDS.has(type)) return [{ accountId: ownerId, collection: null, range: null }]
      const date = typeof text === 'string' ? parseDate(text) : undefined
      const from = date === undefined ? undefined : startOfUtcDay(date)
      // So short that the local days which it overlaps anywhere are few.
      const range = from === undefined ? null : { from, to: from + 10 * HOUR_MS }
      const names = Object.hasOwn(COLLECTIONS, type) ? COLLECTIONS[type] : []
      return (names ?? []).map((collection) => ({ accountId: ownerId, collection, range }))
    })
  },

  async subscribeUser(fetchJson, { extra }) {
    for (const type of SUBSCRIBED) {
      const path = `${PERSON}/${type}/apiSubscriptions/${extra?.user_id}-${type}.json`
      await fetchJson({ method: 'POST', path }).catch((error: unknown) => {
        // 409: there is one already. Refused: the person denied the scope.
        const { failure } = error instanceof VendorError ? error : { failure: undefined }
        const isKnown = failure?.kind === 'unexpected' && failure.status === 409
        if (!isKnown && failure?.kind !== 'refused') throw error
      })
    }
  },
}
