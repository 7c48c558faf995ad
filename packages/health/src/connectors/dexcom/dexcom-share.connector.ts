import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Connector } from '../connector.ts'
import { mapReadings, SLUG } from './dexcom-share.mapper.ts'
import { DEXCOM_SHARE_SIGN_IN, errorOf, REGIONS, SERVICES } from './dexcom-share-sign-in.ts'

/** The service has the readings of one day, each five minutes. */
const MOST_MINUTES = 1440
const MOST_READINGS = 288

/** Codes of errors by which the service refuses a session. */
const ENDED: ReadonlySet<string> = new Set([
  'SessionIdNotFound',
  'SessionNotValid',
  'SessionNotFound',
])

/** Dexcom Share, as public clients of it show. */
export const DEXCOM_SHARE: Connector = {
  slug: SLUG,
  hosts: REGIONS.us,
  auth: DEXCOM_SHARE_SIGN_IN,
  appSettings: {
    application_id: {
      meaning: "Application id of the vendor's app for followers.",
      default: 'd89443d2-327c-4a6f-89e5-496bbb0317db',
    },
    application_id_jp: {
      meaning: 'The same for Japan.',
      default: 'd8665ade-9673-4e27-9ff6-92db4ce13d13',
    },
  },
  collections: [
    {
      name: 'readings',
      resources: ['glucose'],
      history: 'by_range',
      mostDaysAtOnce: 3660,
      // Sensors send what they measured while the phone was away.
      overlapHours: 3,
      page: ({ from }, _cursor, { now }) => {
        const minutes = Math.ceil((now - from) / MINUTE_MS)
        return {
          method: 'POST',
          path: `${SERVICES}/Publisher/ReadPublisherLatestGlucoseValues`,
          query: {
            minutes: String(Math.min(Math.max(minutes, 1), MOST_MINUTES)),
            maxCount: String(MOST_READINGS),
          },
          json: {},
        }
      },
      next: () => null,
      map: mapReadings,
    },
  ],
  budgets: [
    { per: 'credential', requests: 30, seconds: 3600 },
    { per: 'address', requests: 600, seconds: 60 },
  ],
  authorize: (request, { accessToken }) => ({
    ...request,
    query: { sessionId: accessToken, ...request.query },
  }),
  failureOf(answer, of) {
    const code = of === 'data' ? errorOf(answer)?.code : undefined
    return code !== undefined && ENDED.has(code) ? { kind: 'unauthorized' } : undefined
  },
  guide: {
    verification: 'recorded_payloads',
    documentation: null,
    timeZones: 'A reading has its instant, and the offset that the display of the device has.',
    limits:
      'The vendor names none. Salus sends at most 30 requests an hour for a person, and opens at most 12 sessions a day.',
    registration: [],
    notes: [
      'The API is that of the app for followers. It was checked against answers that public clients recorded in 2025, and not against an account. The terms of the vendor forbid it, and the vendor can end it at any time.',
      'People sign in with the account of the one who wears the sensor, not that of a follower. Share must be switched on with at least one follower, else there are no readings. Accounts that sign in by Google or Apple have no password.',
      'The vendor has the readings of 24 hours only, so that a longer outage leaves a gap.',
      'Readings below 40 and above 400 mg/dL, which the sensor only calls low or high, are quarantined.',
      'dexcom_v3 brings the same readings of the same person by the official API, three hours later.',
    ],
  },
}
