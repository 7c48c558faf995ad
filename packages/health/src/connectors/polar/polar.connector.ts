import type { Collection, Connector } from '../connector.ts'
import { failureOfStatus, VendorError, type VendorFailure } from '../vendor-client.ts'
import { mapActivities, mapHeartRates, mapProfile } from './days.mapper.ts'
import { mapExercises } from './exercises.mapper.ts'
import { pagedByDay, SLUG, unexpected, wholeList } from './polar-pages.ts'
import { POLAR_PUSH, SIGNATURE_KEY } from './polar-push.ts'
import { mapSleep } from './sleep.mapper.ts'

const SCOPE = 'accesslink.read_all'
const NEED = { required: [SCOPE], optional: [] }

const PARTS = { samples: 'true', zones: 'true', route: 'true' }

const COLLECTIONS: readonly Collection[] = [
  {
    name: 'exercises',
    resources: ['workouts', 'workout_stream', 'device'],
    ...wholeList('/v3/exercises', PARTS),
    record: {
      request: (id) => ({ path: `/v3/exercises/${encodeURIComponent(id)}`, query: PARTS }),
      toPage: (answer) => answer,
      remove: (id, data) => data.removeSummary('workouts', id),
    },
    map: mapExercises,
  },
  {
    name: 'sleep',
    resources: ['sleep', 'sleep_cycle', 'heartrate'],
    ...wholeList('/v3/users/sleep'),
    details: () => [{ path: '/v3/users/nightly-recharge', isOptional: true }],
    map: mapSleep,
  },
  {
    name: 'continuous_heart_rate',
    resources: ['heartrate'],
    // A watch that measures every 5 seconds has some megabytes in a week.
    ...pagedByDay('/v3/users/continuous-heart-rate', 7),
    details: () => [{ path: '/v3/users/sleep', isOptional: true }],
    map: mapHeartRates,
  },
  {
    name: 'activities',
    resources: ['activity'],
    // A range that does not begin at midnight has one date more, and 28 are allowed.
    ...pagedByDay('/v3/users/activities', 27, { activity_zones: 'true' }),
    details: () => [{ path: '/v3/users/sleep/available', isOptional: true }],
    map: mapActivities,
  },
  {
    name: 'physical_info',
    resources: ['profile'],
    history: 'none',
    mostDaysAtOnce: 1,
    overlapHours: 0,
    page: () => ({ path: '/v3/users/physical-info' }),
    next: () => null,
    map: mapProfile,
  },
]

const userOf = (extra: Readonly<Record<string, string>> | undefined): string => {
  const id = extra?.x_user_id
  if (id === undefined || id === '') throw unexpected()
  return id
}

/** Polar AccessLink v3, without its transactions, which are deprecated. */
export const POLAR: Connector = {
  slug: SLUG,
  hosts: {
    api: 'https://www.polaraccesslink.com',
    flow: 'https://flow.polar.com',
    token: 'https://polarremote.com',
  },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'flow', path: '/oauth2/authorization' },
    tokenEndpoint: { host: 'token', path: '/v2/oauth2/token' },
    revocationRequest: ({ extra }) => ({
      method: 'DELETE',
      path: `/v3/users/${encodeURIComponent(userOf(extra))}`,
    }),
    // The id of the user is nowhere else.
    keptTokenFields: ['x_user_id'],
    clientAuthentication: 'client_secret_basic',
    usesPkce: false,
    scopes: [SCOPE],
    async completeSignIn(send, { extra }) {
      const json = { 'member-id': `salus-${userOf(extra)}` }
      const answer = await send({ method: 'POST', path: '/v3/users', json })
      // 409: registered already.
      const failure = answer.status === 409 ? undefined : failureOfStatus(answer)
      if (failure !== undefined) throw new VendorError(SLUG, failure)
    },
    identify: async (_fetchJson, { extra }) => userOf(extra),
  },
  appSecrets: {
    [SIGNATURE_KEY]: {
      meaning: 'Key of messages; only for a webhook that was not created by Salus.',
      isRequired: false,
    },
  },
  scopes: Object.fromEntries(
    COLLECTIONS.flatMap(({ resources }) => resources).map((resource) => [resource, NEED]),
  ),
  collections: COLLECTIONS,
  budgets: [
    { per: 'app', requests: 500, requestsPerUser: 20, seconds: 900 },
    { per: 'app', requests: 5000, requestsPerUser: 100, seconds: 86_400 },
  ],
  push: POLAR_PUSH,
  failureOf(answer): VendorFailure | undefined {
    if (answer.status !== 429) return undefined
    const [usage, limit, reset] = ['usage', 'limit', 'reset'].map((name) =>
      (answer.header(`ratelimit-${name}`) ?? '').split(',').map(Number),
    )
    // Both windows, of a quarter of an hour and of a day, are in each header.
    const waits = (reset ?? []).filter(
      (seconds, index) => seconds >= 0 && Number(usage?.[index]) >= Number(limit?.[index]),
    )
    if (waits.length === 0) return undefined
    return { kind: 'rate_limited', retryAfterMs: Math.max(...waits) * 1000 }
  },
  guide: {
    verification: 'documented_schema',
    documentation: 'https://www.polar.com/accesslink-api/',
    timeZones:
      'Exercises and sleeps have the offset of the place. Days and heart rates have local times without an offset: they get that of the night that ended on the day, else of the nearest night within a week, else none.',
    limits:
      'An app may send 500 requests and 20 more for each user in 15 minutes, and 5,000 and 100 more for each user in 24 hours.',
    registration: [
      'Create a client at https://admin.polaraccesslink.com, with an account of Polar Flow.',
      'Enter the redirect address that `salus providers check polar` prints.',
      'Put its client id and client secret under `polar` in `SALUS_PROVIDER_APPS`.',
      'Salus creates the webhook of the client, and replaces one whose key it does not have. Where another system uses the webhook, put its key as `signature_secret_key` under `secrets`.',
    ],
    notes: [
      'Exercises are those of the last 30 days, and only those that were uploaded after the user connected; sleeps are those of the last 28 days.',
      'There are no refresh tokens: a token lasts about ten years.',
      'A user who withholds a consent at Polar gives no access: every request is refused.',
      'The vendor does not report exercises that the user deleted.',
      'Heart rates of a sleep count there, and not a second time among the continuous ones.',
    ],
  },
}
