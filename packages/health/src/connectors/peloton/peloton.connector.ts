import type { Connector } from '../connector.ts'
import { mapWorkouts } from './peloton.mapper.ts'
import { ACCOUNT, detailsOf, nextPage, oldestOf, SLUG, WORKOUTS_A_PAGE } from './peloton-pages.ts'
import { HOSTS, PELOTON_SIGN_IN, PLATFORM } from './peloton-sign-in.ts'

/** Peloton's API of its website, as public clients of it show. */
export const PELOTON: Connector = {
  slug: SLUG,
  hosts: HOSTS,
  auth: PELOTON_SIGN_IN,
  appSettings: {
    client_id: {
      meaning: "Client id of the vendor's website.",
      default: 'WVoJxVDdPoFx4RNewvvg6ch2mZ7bwnsM',
    },
    user_agent: {
      meaning: 'Name of the browser, in the header user-agent of the sign-in.',
      default: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36',
    },
  },
  collections: [
    {
      name: 'workouts',
      resources: ['workouts', 'workout_stream'],
      history: 'newest_first',
      mostDaysAtOnce: 3660,
      overlapHours: 48,
      page: (_range, cursor) => ({
        path: `/api/user/${ACCOUNT}/workouts`,
        query: {
          joins: 'ride',
          limit: String(WORKOUTS_A_PAGE),
          page: cursor ?? '0',
          sort_by: '-created',
        },
      }),
      next: (answer, _request) => nextPage(answer),
      oldestOf,
      details: (answer, request) => detailsOf(answer, request).map((one) => one.request),
      map: mapWorkouts,
    },
  ],
  budgets: [
    { per: 'credential', requests: 300, seconds: 300 },
    { per: 'address', requests: 300, seconds: 60 },
  ],
  pollMinutes: 60,
  authorize: (request, { accessToken, extra }) => ({
    ...request,
    path: request.path.replace(ACCOUNT, encodeURIComponent(extra?.accountId ?? '')),
    headers: { ...request.headers, ...PLATFORM, authorization: `Bearer ${accessToken}` },
  }),
  guide: {
    verification: 'recorded_payloads',
    documentation: null,
    timeZones: 'A workout names its zone, of which the offset at its start is computed.',
    limits: 'The vendor names none. Salus sends at most 300 requests in 5 minutes for a person.',
    registration: [],
    notes: [
      'The vendor closed its sign-in for other programs in 2025; this one is that of its website, as public clients of 2026 use it. The terms of the vendor forbid automated access, and it can end this way at any time.',
      'Workouts and their series were checked against twenty that a public client recorded; the sign-in was not checked against an account.',
      'Zones of heart rates have other bounds at the vendor: those of Salus are computed from the series.',
      'Distances and speeds come in the units of the account and are converted.',
    ],
  },
}
