import { createHmac } from 'node:crypto'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import type { Push, PushNotice } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { SLUG } from './whoop-pages.ts'

/** Messages of the vendor. The address is entered in its dashboard, and it sends no challenge. */
export const WHOOP_PUSH: Push = {
  signedAt({ headers }) {
    const milliseconds = headers['x-whoop-signature-timestamp'] ?? ''
    return /^\d{1,14}$/.test(milliseconds) ? Number(milliseconds) : Number.NaN
  },

  verify({ headers, body }, { clientSecret }) {
    const { 'x-whoop-signature': signature = '', 'x-whoop-signature-timestamp': timestamp = '' } =
      headers
    const expected = createHmac('sha256', clientSecret).update(timestamp).update(body).digest()
    return timestamp !== '' && isEqualSecret(Buffer.from(signature, 'base64'), expected)
  },

  read(body) {
    const { user_id: user, id, type } = isFields(body) ? body : {}
    const isUser = Number.isSafeInteger(user) || (typeof user === 'string' && user !== '')
    if (!isUser || typeof type !== 'string') {
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    }
    const [kind = '', change] = type.split('.')
    const accountId = String(user)
    if (change !== 'updated' && change !== 'deleted') return []
    if (typeof id !== 'string' && typeof id !== 'number') return []
    return noticesOf(accountId, kind, { id: String(id), isDeleted: change === 'deleted' })
  },
}

function noticesOf(
  accountId: string,
  kind: string,
  record: { id: string; isDeleted: boolean },
): PushNotice[] {
  const notice = (collection: string) => ({ accountId, collection, range: null })
  // A sleep begins a cycle, a workout adds to its energy, and no message is about a cycle.
  if (kind === 'sleep' || kind === 'workout') {
    return [{ ...notice(kind), record }, notice('cycle')]
  }
  // The id is that of the sleep, which remains when its recovery is removed.
  if (kind === 'recovery') return [{ ...notice('sleep'), record: { ...record, isDeleted: false } }]
  return []
}
