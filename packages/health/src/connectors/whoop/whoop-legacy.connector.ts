import type { Connector } from '../connector.ts'
import { CYCLE_PAGES, SLUG, stageRequests, USER } from './cycle-pages.ts'
import { mapCycles } from './cycles.mapper.ts'
import { SETTINGS, WHOOP_SIGN_IN } from './whoop-sign-in.ts'

/**
 * The interface of WHOOP's own apps, as clients of 2025 and 2026 use it: the vendor publishes no
 * documentation of it. Older forms of its answers are read too.
 */
export const WHOOP_LEGACY: Connector = {
  slug: SLUG,
  hosts: { api: 'https://api.prod.whoop.com' },
  auth: WHOOP_SIGN_IN,
  appSettings: SETTINGS,
  collections: [
    {
      name: 'cycles',
      resources: ['activity', 'sleep', 'sleep_cycle', 'workouts'],
      ...CYCLE_PAGES,
      details: (answer, { range }) => stageRequests(answer, range),
      map: mapCycles,
    },
  ],
  // The vendor publishes no limits.
  budgets: [{ per: 'credential', requests: 60, seconds: 60 }],
  pollMinutes: 60,
  authorize: (request, { accessToken, extra }, app) => ({
    ...request,
    query: { ...request.query, ...(request.query?.id === USER && { id: extra?.userId }) },
    headers: {
      ...request.headers,
      authorization: `Bearer ${accessToken}`,
      'user-agent': app?.settings.user_agent ?? '',
    },
  }),
  guide: {
    verification: 'emulator_only',
    documentation: null,
    timeZones:
      'Records are in UTC with the offset of the place at recording. A cycle belongs to the day that the vendor names.',
    limits:
      'The vendor publishes none. Salus sends at most 60 requests a minute for a user, and looks for new data once an hour.',
    registration: [],
    notes: [
      'This is the interface of the apps of WHOOP, which the vendor does not offer to others and may change at any time. `whoop_v2` uses the official one: prefer it.',
      'A code by SMS, by e-mail or of an authenticator app is possible. After about 30 days the vendor wants the password again; where it then wants a code too, the connection ends, and the person signs in again.',
      'The client id is that of the web app, which is public; another one may be set as `client_id`.',
      'Each sleep needs a further request for its stages.',
      'Recovery, resting heart rate, heart rate variability and skin temperature are columns of the night they belong to. Heart rates of every few seconds are not requested.',
      'Strain and blood oxygen have no place in the data; records are kept as raw data.',
    ],
  },
}
