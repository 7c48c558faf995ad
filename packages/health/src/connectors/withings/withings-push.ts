import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { parseDate, startOfUtcDay } from '@salus/kernel/time/instants'
import type { Push, PushNotice, TimeRange } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { callOf, type Fields, listOf, SLUG } from './withings-api.ts'

/** Kinds of messages by their number, and the collections that change. */
const COLLECTIONS: Readonly<Record<string, readonly string[]>> = {
  1: ['measures'],
  2: ['measures'],
  4: ['measures'],
  16: ['activity', 'intraday', 'workouts'],
  44: ['sleep'],
  54: ['heart'],
}
/** A change of the account. */
const ACCOUNT = '46'
const ENDED = new Set<unknown>(['delete', 'unlink'])

/** Local days begin up to 14 hours before those of UTC, and end up to 12 hours after them. */
const EARLIEST_MS = 14 * HOUR_MS
const LATEST_MS = 12 * HOUR_MS

function rangeOf({ date, startdate, enddate }: Fields): TimeRange | null {
  const day = typeof date === 'string' ? parseDate(date) : undefined
  if (day !== undefined) {
    const from = startOfUtcDay(day)
    return { from: from - EARLIEST_MS, to: from + DAY_MS + LATEST_MS }
  }
  const [from, to] = [startdate, enddate].map((text) => (text ? Number(text) : Number.NaN))
  if (from === undefined || to === undefined || !(from <= to)) return null
  // The last second belongs to the range.
  return { from: from * 1000, to: (to + 1) * 1000 }
}

/** Messages are forms without a signature: only the vendor knows the address. */
export const WITHINGS_PUSH: Push = {
  // The vendor looks whether the address answers, without data.
  answerHandshake: ({ method, body }) =>
    method !== 'POST' || body.length === 0 ? { status: 200, body: '' } : undefined,

  parse: (body) => Object.fromEntries(new URLSearchParams(body.toString('utf8'))),

  read(body): readonly PushNotice[] {
    const { userid: accountId, appli, action } = isFields(body) ? body : {}
    if (typeof accountId !== 'string' || accountId === '' || typeof appli !== 'string') {
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    }
    if (appli === ACCOUNT) {
      return ENDED.has(action) ? [{ accountId, collection: null, range: null }] : []
    }
    const range = rangeOf(body as Fields)
    const changed = Object.hasOwn(COLLECTIONS, appli) ? (COLLECTIONS[appli] ?? []) : []
    return changed.map((collection) => ({ accountId, collection, range }))
  },

  async subscribeUser(fetchJson, _tokens, callbackUrl) {
    const notify = (action: string, parameters: Record<string, string>) =>
      fetchJson(callOf('/notify', action, parameters))
    const known = listOf(await notify('list', {}), 'profiles').filter(isFields)
    for (const appli of [...Object.keys(COLLECTIONS), ACCOUNT]) {
      const same = known.filter((one) => String(one.appli) === appli)
      if (same.some(({ callbackurl }) => callbackurl === callbackUrl)) continue
      const [former] = same
      // An app has one address for each kind.
      if (former === undefined) await notify('subscribe', { callbackurl: callbackUrl, appli })
      else {
        const callbackurl = String(former.callbackurl)
        const next = { new_callbackurl: callbackUrl, new_appli: appli }
        await notify('update', { callbackurl, appli, ...next })
      }
    }
  },
}
