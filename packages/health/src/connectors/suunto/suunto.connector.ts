import { createHmac } from 'node:crypto'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import type { Collection, Connector, Push, PushNotice } from '../connector.ts'
import { isFields } from '../vendor-records.ts'
import { mapActivity, mapSleep, mapWorkouts, SLUG, unexpected } from './suunto.mapper.ts'

const PAGE_RECORDS = 100

/** Requests samples by time; the vendor answers at most 28 days at once. */
const pagedByTime = (path: string): Omit<Collection, 'name' | 'resources' | 'map'> => ({
  history: 'by_range',
  mostDaysAtOnce: 28,
  // A watch may be synchronized days later.
  overlapHours: 72,
  // The end is inclusive.
  page: ({ from, to }) => ({ path, query: { from: String(from), to: String(to - 1) } }),
  next: () => null,
})

const COLLECTIONS: readonly Collection[] = [
  {
    name: 'workouts',
    resources: ['workouts', 'device'],
    history: 'by_range',
    mostDaysAtOnce: 90,
    overlapHours: 72,
    record: {
      request: (key) => ({ path: `/v3/workouts/${encodeURIComponent(key)}` }),
      toPage: (answer) => answer,
      remove: (key, data) => data.removeSummary('workouts', key),
    },
    page: ({ from, to }, cursor) => ({
      path: '/v3/workouts/',
      query: {
        since: String(from),
        until: String(to),
        limit: String(PAGE_RECORDS),
        offset: cursor ?? undefined,
      },
    }),
    next(answer, { cursor }) {
      const isFull =
        isFields(answer) && Array.isArray(answer.payload) && answer.payload.length >= PAGE_RECORDS
      return isFull ? String(Number(cursor ?? 0) + PAGE_RECORDS) : null
    },
    map: mapWorkouts,
  },
  {
    name: 'sleep',
    resources: ['sleep'],
    ...pagedByTime('/247samples/sleep'),
    map: mapSleep,
  },
  {
    name: 'activity',
    resources: ['heartrate', 'hrv', 'blood_oxygen', 'steps'],
    ...pagedByTime('/247samples/activity'),
    map: mapActivity,
  },
]

const PUSH: Push = {
  verify({ headers, body }, { clientSecret, secrets }) {
    // The app of a sandbox has one secret for all.
    const secret = secrets?.notification_secret ?? clientSecret
    const sent = (headers['x-hmac-sha256-signature'] ?? '').toLowerCase()
    return isEqualSecret(sent, createHmac('sha256', secret).update(body).digest('hex'))
  },

  read(body): readonly PushNotice[] {
    if (!isFields(body) || typeof body.type !== 'string') throw unexpected()
    const { type, username: accountId, samples, workout, gear, workoutKey, payload } = body
    if (typeof accountId !== 'string' || accountId === '') return []
    const notice = { accountId, range: null }
    if (type === 'SUUNTO_247_SLEEP_CREATED') {
      return [{ ...notice, collection: 'sleep', page: samples ?? payload ?? [] }]
    }
    if (type === 'SUUNTO_247_ACTIVITY_CREATED') {
      return [{ ...notice, collection: 'activity', page: samples ?? payload ?? [] }]
    }
    if (type !== 'WORKOUT_CREATED') return []
    const made = workout ?? payload
    if (isFields(made)) {
      const page = { payload: [isFields(gear) ? { gear, ...made } : made] }
      return [{ ...notice, collection: 'workouts', page }]
    }
    const record = typeof workoutKey === 'string' ? { id: workoutKey, isDeleted: false } : undefined
    return [{ ...notice, collection: 'workouts', ...(record && { record }) }]
  },
}

/** Suunto Cloud API. */
export const SUUNTO: Connector = {
  slug: SLUG,
  hosts: { api: 'https://cloudapi.suunto.com', oauth: 'https://cloudapi-oauth.suunto.com' },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'oauth', path: '/oauth/authorize' },
    tokenEndpoint: { host: 'oauth', path: '/oauth/token' },
    revocationRequest: (_tokens, { clientId }) => ({
      host: 'oauth',
      path: '/oauth/deauthorize',
      query: { client_id: clientId },
    }),
    clientAuthentication: 'client_secret_basic',
    usesPkce: false,
    // The vendor has none.
    scopes: [],
    /** The access token is a JWT, and messages name its user. */
    async identify(_fetchJson, { accessToken }) {
      const user = userOf(accessToken)
      if (user === undefined) throw unexpected()
      return user
    },
  },
  appSecrets: {
    subscription_key: {
      meaning: 'Subscription key of the API, which every request for data has.',
      isRequired: true,
    },
    notification_secret: { meaning: 'Secret that signs notifications.', isRequired: false },
  },
  collections: COLLECTIONS,
  // The vendor names no limit.
  budgets: [{ per: 'app', requests: 300, seconds: 300, isAssumed: true }],
  push: PUSH,
  authorize: (request, { accessToken }, app) => ({
    ...request,
    headers: {
      ...request.headers,
      authorization: `Bearer ${accessToken}`,
      'ocp-apim-subscription-key': app?.secrets?.subscription_key ?? '',
    },
  }),
  guide: {
    verification: 'documented_schema',
    documentation: 'https://apizone.suunto.com/how-to-start',
    timeZones: 'Records have the offset of the place.',
    limits: 'The vendor names none. Salus sends at most 300 requests in 5 minutes.',
    registration: [
      'Apply for the partner programme at https://apizone.suunto.com, and subscribe to the API.',
      'Create an OAuth client there, with the redirect address that `salus providers check suunto` prints.',
      'Enter the push address that it prints, for workouts, sleep and activity, and choose a notification secret.',
      'Put client id and client secret under `suunto` in `SALUS_PROVIDER_APPS`, and `subscription_key` and `notification_secret` under its `secrets`.',
    ],
    notes: [
      'Suunto is no provider of the original contract: the slug is a decision of Salus.',
      'Sleeps have seconds of stages, but no times of stages.',
      'Workouts have no stream: the vendor has one in FIT files only.',
      'Energy of the samples of a day is left out, because the vendor does not say whether it includes rest.',
      'The vendor does not report workouts that the user deleted.',
    ],
  },
}

/** Returns the username in an access token. */
function userOf(accessToken: string): string | undefined {
  try {
    const [, content = ''] = accessToken.split('.')
    const claims: unknown = JSON.parse(Buffer.from(content, 'base64url').toString('utf8'))
    const user = isFields(claims) ? claims.user : undefined
    return typeof user === 'string' && user !== '' ? user : undefined
  } catch {
    return undefined
  }
}
