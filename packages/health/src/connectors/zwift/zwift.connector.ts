import type { Connector } from '../connector.ts'
import { mapActivities } from './zwift.mapper.ts'
import { ACTIVITIES_A_PAGE, detailsOf, oldestOf, PROFILE, SLUG } from './zwift-pages.ts'
import { appHeaders, ZWIFT_SIGN_IN } from './zwift-sign-in.ts'

/** Zwift's API of its game, as public clients of it show. */
export const ZWIFT: Connector = {
  slug: SLUG,
  hosts: { api: 'https://us-or-rly101.zwift.com', auth: 'https://secure.zwift.com' },
  auth: ZWIFT_SIGN_IN,
  appSettings: {
    client_id: { meaning: "Client id of the vendor's game.", default: 'Zwift Game Client' },
    user_agent: {
      meaning: "Name and version of the vendor's game, in the header user-agent.",
      default: 'CNL/3.30.8 (macOS 13 Ventura; Darwin Kernel 22.4.0) zwift/1.0.110983 curl/7.78.0',
    },
  },
  collections: [
    {
      name: 'activities',
      resources: ['workouts', 'workout_stream'],
      history: 'newest_first',
      mostDaysAtOnce: 3660,
      // An activity may be processed for some time after it was uploaded.
      overlapHours: 48,
      page: (_range, cursor) => ({
        path: `/api/profiles/${PROFILE}/activities`,
        query: { start: cursor ?? '0', limit: String(ACTIVITIES_A_PAGE) },
      }),
      next(answer, { cursor }) {
        const isFull = Array.isArray(answer) && answer.length >= ACTIVITIES_A_PAGE
        return isFull ? String((Number(cursor ?? '0') || 0) + ACTIVITIES_A_PAGE) : null
      },
      oldestOf,
      details: (answer, request) => detailsOf(answer, request).map((one) => one.request),
      map: mapActivities,
    },
  ],
  budgets: [
    { per: 'credential', requests: 300, seconds: 300 },
    { per: 'address', requests: 300, seconds: 60 },
  ],
  pollMinutes: 60,
  authorize: (request, { accessToken, extra }, app) => ({
    ...request,
    path: request.path.replace(PROFILE, encodeURIComponent(extra?.profileId ?? '')),
    headers: {
      ...request.headers,
      ...(app && appHeaders({ app })),
      authorization: `Bearer ${accessToken}`,
    },
  }),
  guide: {
    verification: 'emulator_only',
    documentation: null,
    timeZones: 'All times are in UTC, without a zone.',
    limits: 'The vendor names none. Salus sends at most 300 requests in 5 minutes for a person.',
    registration: [],
    notes: [
      'The API is that of the game, as public clients show it; no recorded payload of the vendor was available. The terms of the vendor forbid automated access without its permission, and it can end this way at any time.',
      'Positions are left out: they are of a world that does not exist.',
      'Sessions that ended before a minute without a distance are left out.',
    ],
  },
}
