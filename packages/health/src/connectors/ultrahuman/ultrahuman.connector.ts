import type { Connector } from '../connector.ts'
import { isFields } from '../vendor-records.ts'
import { mapMetrics } from './metrics.mapper.ts'
import { dateOf, nextDate, SLUG, unexpected, zoneOf } from './ultrahuman-days.ts'

const BASE = '/api/partners/v1/user_data'
const USER = { path: `${BASE}/user_info` }

const RING = { required: ['ring_data'], optional: ['profile'] }

/** Ultrahuman Partner API. */
export const ULTRAHUMAN: Connector = {
  slug: SLUG,
  hosts: { api: 'https://partner.ultrahuman.com', auth: 'https://auth.ultrahuman.com' },
  auth: {
    kind: 'oauth',
    // So spelled in the examples of the vendor.
    authorizationEndpoint: { host: 'auth', path: '/authorise' },
    tokenEndpoint: { host: 'api', path: '/api/partners/oauth/token' },
    clientAuthentication: 'client_secret_post',
    usesPkce: false,
    scopes: ['profile', 'ring_data', 'cgm_data'],
    async identify(fetchJson) {
      const answer = await fetchJson(USER)
      const user = isFields(answer) && isFields(answer.data) ? answer.data : answer
      const { id, user_id } = isFields(user) ? user : {}
      const [account] = [id, user_id].filter((one) => one !== null && one !== undefined)
      const isId = typeof account === 'number' || (typeof account === 'string' && account !== '')
      if (!isId) throw unexpected()
      return String(account)
    },
  },
  scopes: {
    activity: RING,
    sleep: RING,
    sleep_cycle: RING,
    heartrate: RING,
    hrv: RING,
    body_temperature: RING,
    steps: RING,
    glucose: { required: ['cgm_data'], optional: ['profile'] },
  },
  collections: [
    {
      name: 'metrics',
      resources: [
        'activity',
        'sleep',
        'sleep_cycle',
        'heartrate',
        'hrv',
        'body_temperature',
        'steps',
        'glucose',
      ],
      history: 'by_range',
      // A request has one day, and the cursor is its date.
      mostDaysAtOnce: 30,
      // The metrics of a day change until the next one.
      overlapHours: 48,
      page: (range, cursor, context) => ({
        path: `${BASE}/metrics`,
        query: { date: dateOf({ range, cursor, context }) },
      }),
      next: (answer, request) => nextDate(answer, request),
      details: (answer) => (zoneOf(answer) === null ? [{ ...USER, isOptional: true }] : []),
      map: mapMetrics,
    },
  ],
  // The vendor names no limit.
  budgets: [{ per: 'app', requests: 300, seconds: 300, isAssumed: true }],
  pollMinutes: 60,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://vision.ultrahuman.com/developer-docs',
    timeZones:
      'Times are in UTC; offsets are those of the present time zone of the user, also for the past.',
    limits: 'The vendor names none. Salus sends at most 300 requests in 5 minutes.',
    registration: [
      'Create an OAuth application at https://vision.ultrahuman.com/developer, with the scopes `profile`, `ring_data` and `cgm_data`.',
      'Enter the redirect address that `salus providers check ultrahuman` prints; an application has one.',
      'Put its client id and client secret under `ultrahuman` in `SALUS_PROVIDER_APPS`.',
    ],
    notes: [
      'A request has one day of one user, so that 90 days of history are 92 requests.',
      '`body_temperature` is that of the skin of the finger.',
      'Steps are a series only where their counts add up to the total of the day.',
      'The forms of errors and of the user, and naps, are not documented in public.',
    ],
  },
}
