import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { Connector } from '../connector.ts'
import { VendorError, type VendorFailure } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { mapActivities, mapAthlete } from './strava.mapper.ts'
import { activityRecord, pagedByStart, requestsOf, SLUG } from './strava-pages.ts'
import { STRAVA_PUSH } from './strava-push.ts'

const ATHLETE = { path: '/api/v3/athlete' } as const

const QUARTER_MS = 15 * MINUTE_MS

/** Errors of token answers, by the resource that the vendor calls invalid. */
const OAUTH_ERRORS: Readonly<Record<string, string>> = {
  RefreshToken: 'invalid_grant',
  AuthorizationCode: 'invalid_grant',
  Application: 'invalid_client',
}

/** `{"message": "Bad Request", "errors": [{"resource": "RefreshToken", …}]}` */
function toStandardAnswer(answer: unknown): Fields {
  if (!isFields(answer)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  if (!Array.isArray(answer.errors)) return answer
  const [problem] = answer.errors.filter(isFields)
  return { error: OAUTH_ERRORS[String(problem?.resource)] ?? 'invalid_request' }
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the time until the vendor counts from 0 again: its windows begin at each quarter of an
 * hour, and at midnight UTC for the day. It sends the time in `date` and no Retry-After.
 */
function waitOf(answer: OutboundAnswer): number | null {
  const now = Date.parse(answer.header('date') ?? '')
  if (Number.isNaN(now)) return null
  const isUsedUp = ['x-ratelimit', 'x-readratelimit'].some((name) => {
    const [, limit] = (answer.header(`${name}-limit`) ?? '').split(',')
    const [, usage] = (answer.header(`${name}-usage`) ?? '').split(',')
    return limit !== undefined && Number(usage) >= Number(limit)
  })
  const window = isUsedUp ? DAY_MS : QUARTER_MS
  return window - (now % window)
}

/** Strava API v3, as https://developers.strava.com/docs/reference describes it. */
export const STRAVA: Connector = {
  slug: SLUG,
  hosts: { api: 'https://www.strava.com' },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'api', path: '/oauth/authorize' },
    tokenEndpoint: { host: 'api', path: '/api/v3/oauth/token' },
    revocationRequest: ({ accessToken }) => ({
      method: 'POST',
      path: '/oauth/deauthorize',
      form: { access_token: accessToken },
    }),
    parameters: { authorization: { approval_prompt: 'auto' } },
    toStandardAnswer,
    clientAuthentication: 'client_secret_post',
    usesPkce: false,
    scopes: ['read', 'activity:read', 'activity:read_all'],
    scopeSeparator: ',',
    async identify(fetchJson) {
      const athlete = await fetchJson(ATHLETE)
      if (isFields(athlete) && Number.isSafeInteger(athlete.id)) return String(athlete.id)
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    },
  },
  scopes: {
    workouts: { required: ['activity:read'], optional: ['activity:read_all'] },
    workout_stream: { required: ['activity:read'], optional: ['activity:read_all'] },
    profile: { required: ['read'], optional: [] },
  },
  collections: [
    {
      name: 'activities',
      resources: ['workouts', 'workout_stream'],
      ...pagedByStart,
      record: activityRecord,
      details: (answer) => requestsOf(answer).requests,
      map: mapActivities,
    },
    {
      name: 'athlete',
      resources: ['profile'],
      history: 'none',
      mostDaysAtOnce: 1,
      overlapHours: 0,
      page: () => ATHLETE,
      next: () => null,
      map: mapAthlete,
    },
  ],
  // Of requests that read; others have twice as many.
  budgets: [
    { per: 'app', requests: 100, seconds: 900 },
    { per: 'app', requests: 1000, seconds: 86_400 },
  ],
  // A poll reads the activities of two weeks again, each with two requests.
  pollMinutes: 1440,
  push: STRAVA_PUSH,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://developers.strava.com/docs/reference',
    timeZones:
      'Activities are in UTC with the offset of the place and its zone. Where the offset is missing it is that of the zone.',
    limits:
      'An app may read 100 times in 15 minutes and 1,000 times a day. Each activity takes two requests, so all people of an app have about 450 new activities a day. An app of the standard tier serves ten athletes.',
    registration: [
      'Create an app at https://www.strava.com/settings/api; the vendor may require a paid subscription of its owner.',
      'Enter the domain of the redirect address that `salus providers check strava` prints as authorization callback domain.',
      'Put its client id and client secret under `strava` in `SALUS_PROVIDER_APPS`. Salus subscribes to messages itself; an app has one subscription, so deployments must not share an app.',
      'Read the API agreement of the vendor: data of a person may be shown to that person only, which a team that shows data to others must judge itself.',
    ],
    notes: [
      'Activities that Strava imported from another provider come from both.',
      'Private activities need the scope activity:read_all; without it an activity that becomes private is removed.',
      'Messages name deleted activities. Without messages an activity that was deleted at the vendor stays.',
      'Distance, calories and speeds of 0 mean that the vendor has none.',
      'Energy is that of the detailed activity; `kilojoules`, the work of the pedals, is kept in the raw data only.',
      'Cadences of runs, walks and hikes are steps a minute: the vendor counts one leg.',
      'Changes of the data of an activity send no message; the daily poll reads the last two weeks again.',
      'Messages without a signature are accepted when they name the subscription of the app.',
    ],
  },
  failureOf(answer): VendorFailure | undefined {
    // For subscribers of the vendor only.
    if (answer.status === 402) return { kind: 'refused' }
    // A missing scope, for which a new token would not help.
    const isOfScope = answer.status === 401 && /"missing"/.test(answer.bytes().toString('utf8'))
    if (isOfScope) return { kind: 'refused' }
    if (answer.status !== 429) return undefined
    return { kind: 'rate_limited', retryAfterMs: waitOf(answer) }
  },
}
