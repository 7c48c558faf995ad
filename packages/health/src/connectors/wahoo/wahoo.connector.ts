import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import type { Connector, Push } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError, type VendorFailure } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { filesOf, mapWorkouts, SLUG } from './workouts.mapper.ts'

const PAGE_SIZE = 30

const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

const idOf = (record: unknown): string | undefined =>
  isFields(record) && (typeof record.id === 'number' || typeof record.id === 'string')
    ? String(record.id)
    : undefined

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Messages about new and changed workouts. The token of the app is inside the body. */
const PUSH: Push = {
  verify({ body }, { clientSecret, secrets }) {
    const message = parseJson(body)
    const token = isFields(message) ? message.webhook_token : undefined
    return typeof token === 'string' && isEqualSecret(token, secrets?.webhook_token ?? clientSecret)
  },
  read(body) {
    if (!isFields(body)) throw unexpected()
    const accountId = idOf(body.user)
    if (accountId === undefined) throw unexpected()
    if (body.event_type !== 'workout_summary') return []
    const summary = isFields(body.workout_summary) ? body.workout_summary : {}
    const id = idOf(summary.workout)
    const record = id === undefined ? {} : { record: { id, isDeleted: false } }
    return [{ accountId, collection: 'workouts', range: null, ...record }]
  },
}

/** The list has no ranges and begins with the newest, so pages are read until one is too old. */
function nextPage(answer: unknown, { from }: { from: number }): string | null {
  const { page, per_page: size, total, workouts } = isFields(answer) ? answer : {}
  if (![page, size, total].every(Number.isSafeInteger) || !Array.isArray(workouts)) return null
  if (workouts.length === 0 || Number(page) * Number(size) >= Number(total)) return null
  const oldest: unknown = workouts.at(-1)
  const at = isFields(oldest) ? Date.parse(String(oldest.starts)) : Number.NaN
  return at < from ? null : String(Number(page) + 1)
}

const GENDERS = ['male', 'female', 'other']

/** Maps the profile, which has no time. Height is a text in meters. */
function mapProfile(answer: unknown, data: PageData): void {
  const { height, ...rest } = isFields(answer) ? answer : {}
  const meters = typeof height === 'string' && height.trim() !== '' ? Number(height) : height
  const reader = data.read('profile', isFields(answer) ? { ...rest, height: meters } : answer)
  if (reader === undefined || !isFields(answer)) return
  const tall = reader.measured('height', 3)
  const values = {
    height_centimeter: tall === null ? null : Math.round(tall * 100),
    birth_date: reader.date('birth'),
    gender: GENDERS[reader.integer('gender', 0, 100) ?? 100] ?? null,
  }
  if (!data.isValid('profile', reader, answer)) return
  const start = { at: 0, offset: null }
  data.addSummary('profile', { recordId: 'profile', start, sourceType: 'app', values, raw: answer })
}

/** A limit has three periods; of those that are exhausted the longest wait counts. */
function waitOf(limits: string | undefined, resets: string | undefined): number | null {
  const numbers = (text = '') => text.split(',').map((one) => Number(one.trim() || Number.NaN))
  const left = numbers(limits)
  const waits = numbers(resets).filter((wait, index) => wait >= 0 && !((left[index] ?? 0) > 0))
  return waits.length === 0 ? null : Math.max(...waits) * 1000
}

/** Wahoo's Cloud API v1, as https://cloud-api.wahooligan.com describes it. */
export const WAHOO: Connector = {
  slug: SLUG,
  hosts: { api: 'https://api.wahooligan.com' },
  fileHosts: ['*.wahooligan.com'],
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'api', path: '/oauth/authorize' },
    tokenEndpoint: { host: 'api', path: '/oauth/token' },
    revocationRequest: () => ({ method: 'DELETE', path: '/v1/permissions' }),
    clientAuthentication: 'client_secret_post',
    usesPkce: true,
    scopes: ['user_read', 'workouts_read', 'offline_data'],
    async identify(fetchJson) {
      const id = idOf(await fetchJson({ path: '/v1/user' }))
      if (id === undefined) throw unexpected()
      return id
    },
  },
  appSecrets: {
    webhook_token: {
      meaning: 'Webhook token of the app, for its messages; by default the client secret.',
      isRequired: false,
    },
  },
  scopes: {
    workouts: { required: ['workouts_read', 'offline_data'], optional: [] },
    workout_stream: { required: ['workouts_read', 'offline_data'], optional: [] },
    profile: { required: ['user_read', 'offline_data'], optional: [] },
  },
  collections: [
    {
      name: 'workouts',
      resources: ['workouts', 'workout_stream'],
      history: 'by_range',
      // Each range is read from the newest workout on, so that one is better than many.
      mostDaysAtOnce: 3660,
      // A user may edit a workout, and a device may upload it days later.
      overlapHours: 72,
      page: (_range, cursor) => ({
        path: '/v1/workouts',
        query: { page: cursor ?? '1', per_page: String(PAGE_SIZE) },
      }),
      next: (answer, { range }) => nextPage(answer, range),
      details: filesOf,
      map: mapWorkouts,
      record: {
        request: (id) => ({ path: `/v1/workouts/${encodeURIComponent(id)}` }),
        toPage: (workout) => ({ workouts: [workout] }),
        remove: (id, data) => data.removeSummary('workouts', id),
      },
    },
    {
      name: 'user',
      resources: ['profile'],
      history: 'none',
      mostDaysAtOnce: 1,
      overlapHours: 0,
      page: () => ({ path: '/v1/user' }),
      next: () => null,
      map: mapProfile,
    },
  ],
  budgets: [
    { per: 'app', requests: 200, seconds: 300 },
    { per: 'app', requests: 1000, seconds: 3600 },
    { per: 'app', requests: 5000, seconds: 86_400 },
  ],
  pollMinutes: 60,
  push: PUSH,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://cloud-api.wahooligan.com',
    timeZones:
      'Workouts are in UTC. Newer ones have the zone of the place; the others have no offset.',
    limits:
      'A reviewed app may send 200 requests in 5 minutes, 1,000 an hour and 5,000 a day; before the review 25, 100 and 250. Files of workouts do not count. A user has at most ten tokens of an app.',
    registration: [
      'Create an app at https://developers.wahooligan.com with the scopes user_read, workouts_read and offline_data.',
      'Enter the redirect address that `salus providers check wahoo` prints.',
      'Enter the address of messages that it prints as the webhook of the app, and choose a webhook token.',
      'Put client id, client secret and, in `secrets`, `webhook_token` under `wahoo` in `SALUS_PROVIDER_APPS`.',
      'Apply for production before you connect more than a few users.',
    ],
    notes: [
      'Streams are read from the FIT file of a workout.',
      'Planned workouts, which have no summary, are left out.',
      'A ride that both an app and a bicycle computer recorded is two workouts.',
      'The vendor does not report deletions. An edit that is older than three days is found by its message only.',
    ],
  },
  failureOf(answer): VendorFailure | undefined {
    if (answer.status !== 429) return undefined
    const remaining = answer.header('x-ratelimit-remaining')
    const retryAfterMs = waitOf(remaining, answer.header('x-ratelimit-reset'))
    return retryAfterMs === null ? undefined : { kind: 'rate_limited', retryAfterMs }
  },
}
