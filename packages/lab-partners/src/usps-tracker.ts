import {
  type CourierTracker,
  PartnerFailure,
  type TrackedParcel,
} from '@salus/contracts/lab-partners'
import type { Scan } from '@salus/contracts/order-lifecycle'
import type { Clock } from '@salus/kernel/time/clock'
import { BearerToken, readToken } from './bearer-token.ts'
import { callPartner, type Send } from './partner-http.ts'
import { isRecord, type JsonRecord, recordsOf, textOf } from './partner-json.ts'
import type { UspsSettings } from './partner-settings.ts'

/** Categories of the status, by their letters. Before acceptance a parcel has no scan. */
const SCANS: ReadonlyMap<string, Scan | null> = new Map<string, Scan | null>([
  ['preshipment', null],
  ['accepted', 'in_transit'],
  ['intransit', 'in_transit'],
  ['movingthroughnetwork', 'in_transit'],
  ['outfordelivery', 'out_for_delivery'],
  ['delivered', 'delivered'],
  ['deliveredtoagent', 'delivered'],
  ['deliveryattempt', 'exception'],
  ['availableforpickup', 'exception'],
  ['held', 'exception'],
  ['alert', 'exception'],
  ['returntosender', 'not_deliverable'],
  ['returned', 'not_deliverable'],
  ['lost', 'lost'],
])

/** Codes of the last event, with which an alert means that the parcel goes back. */
const RETURNED = new Set(['04', '05', '09', '21', '22', '23', '24', '25', '26', '27', '28', '29'])

/** Creates the tracker of USPS (Tracking API, version 3, https://developers.usps.com). */
export function createUspsTracker(
  { url, clientId, clientSecret, requestsPerHour }: UspsSettings,
  send: Send,
  { clock }: { clock: Clock },
): CourierTracker {
  const token = new BearerToken(async () => {
    const { status, body } = await callPartner('usps', send, {
      method: 'POST',
      url: `${url}/oauth2/v3/token`,
      body: {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret.reveal(),
        scope: 'tracking',
      },
    })
    if (status >= 400) throw new PartnerFailure('usps', 'unauthorized')
    const issued = readToken(body)
    if (issued === undefined) throw new PartnerFailure('usps', 'malformed')
    return issued
  }, clock)

  return {
    courier: 'usps',
    requestsPerHour,
    urlOf: (number) =>
      `https://tools.usps.com/go/TrackConfirmAction?tLabels=${encodeURIComponent(number)}`,
    async lookUp(number, signal) {
      const path = `/tracking/v3/tracking/${encodeURIComponent(number)}?expand=DETAIL`
      const { status, body } = await token.use((headers) =>
        callPartner('usps', send, { method: 'GET', url: `${url}${path}`, headers, signal }),
      )
      if (status === 404) return undefined
      if (status !== 200) throw new PartnerFailure('usps', 'refused')
      if (!isRecord(body) || read(body) === undefined) throw new PartnerFailure('usps', 'malformed')
      return body
    },
    read,
  }
}

/** An unknown category is no scan: it may not move an order. */
function read(answer: unknown): TrackedParcel | undefined {
  if (!isRecord(answer)) return undefined
  const category = textOf(answer, 'statusCategory')
  const [last] = recordsOf(answer, 'trackingEvents')
  if (category === null) return undefined
  const scan = SCANS.get(category.toLowerCase().replace(/[^a-z]/g, '')) ?? null
  const isReturned = scan === 'exception' && RETURNED.has((last && textOf(last, 'eventCode')) ?? '')
  return { scan: isReturned ? 'not_deliverable' : scan, at: (last && timeOf(last)) ?? null }
}

/** A time without an offset is that of the location, whose zone is not in the answer. */
function timeOf(event: JsonRecord): Date | undefined {
  const texts = [textOf(event, 'GMTTimestamp'), textOf(event, 'eventTimestamp')]
  const text = texts.find((time) => time !== null && /(Z|[+-]\d\d:?\d\d)$/.test(time))
  const time = new Date(text ?? '')
  return Number.isNaN(time.getTime()) ? undefined : time
}
