import { dateInZone } from '@salus/kernel/time/instants'
import type { Connector } from '../connector.ts'
import {
  APP_SETTINGS,
  appHeaders,
  EIGHT_SLEEP_SIGN_IN,
  failureOf,
  SLUG,
} from './eight-sleep-sign-in.ts'
import { mapTrends } from './trends.mapper.ts'

/** The nights of a bed of 8Sleep, as its app reads them: the vendor publishes no documentation. */
export const EIGHT_SLEEP: Connector = {
  slug: SLUG,
  hosts: { api: 'https://client-api.8slp.net', auth: 'https://auth-api.8slp.net' },
  auth: EIGHT_SLEEP_SIGN_IN,
  appSettings: APP_SETTINGS,
  collections: [
    {
      name: 'trends',
      resources: ['sleep', 'sleep_cycle', 'heartrate', 'hrv', 'respiratory_rate'],
      history: 'by_range',
      mostDaysAtOnce: 30,
      // A night is complete about noon, and corrected on the day after.
      overlapHours: 48,
      page({ from, to }, _cursor, { extra }) {
        const { userId = '', zone = 'UTC' } = extra
        const dateOf = (at: number) => dateInZone(new Date(at), zone)
        return {
          path: `/v1/users/${encodeURIComponent(userId)}/trends`,
          query: {
            tz: zone,
            from: dateOf(from),
            // Both are included.
            to: dateOf(to - 1),
            'include-main': 'false',
            'include-all-sessions': 'true',
            'model-version': 'v2',
          },
        }
      },
      next: () => null,
      map: mapTrends,
    },
  ],
  // The vendor names no limit. Its app and others ask every five minutes.
  budgets: [{ per: 'credential', requests: 30, seconds: 300 }],
  guide: {
    verification: 'emulator_only',
    documentation: null,
    timeZones:
      'Instants are in UTC; offsets are those of the zone of the bed, which is read at each sign-in. A night belongs to the day of waking there.',
    limits: 'The vendor publishes none. Salus sends at most 30 requests in 5 minutes for a user.',
    registration: [
      'The service knows the app of the vendor only. Put `client_id` and `client_secret` of an app that you may use into `settings` of `eight_sleep` in `SALUS_PROVIDER_APPS`.',
    ],
    notes: [
      'The vendor has no programme for others, and has refused clients before.',
      'A day of several times in bed is as many sleeps. The score of the day is that of the longest; latency and averages of the day are kept where it is the only one.',
      'The heart rate variability is taken for RMSSD, which no source confirms. Temperatures of the bed and of the room have no series.',
      'A refused password ends a connection after three tries over a day, because the vendor has refused right ones during an outage.',
    ],
  },
  authorize: (request, { accessToken }, app) => ({
    ...request,
    headers: {
      ...request.headers,
      ...(app && appHeaders(app)),
      authorization: `Bearer ${accessToken}`,
    },
  }),
  failureOf,
}
