import type { Collection, Connector, ScopeNeed } from '../connector.ts'
import { VendorError, type VendorFailure } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { mapBody, mapCycles, mapSleeps, mapWorkouts } from './whoop.mapper.ts'
import { paged, presentState, recordOf, recoveriesOf, SLEEPS_A_PAGE, SLUG } from './whoop-pages.ts'
import { WHOOP_PUSH } from './whoop-push.ts'

const COLLECTIONS: readonly Collection[] = [
  { name: 'cycle', resources: ['activity'], ...paged('cycle', 'activity'), map: mapCycles },
  {
    name: 'sleep',
    resources: ['sleep'],
    ...paged('activity/sleep', 'sleep', SLEEPS_A_PAGE),
    record: recordOf('activity/sleep', 'sleep'),
    details: recoveriesOf,
    map: mapSleeps,
  },
  {
    name: 'workout',
    resources: ['workouts'],
    ...paged('activity/workout', 'workouts'),
    record: recordOf('activity/workout', 'workouts'),
    map: mapWorkouts,
  },
  {
    name: 'body_measurement',
    resources: ['body', 'profile'],
    ...presentState('user/measurement/body'),
    map: mapBody,
  },
]

/** `offline` gives a refresh token, without which an hour is the whole connection. */
const scopeNeed = (required: readonly string[], ...optional: string[]): ScopeNeed => ({
  required,
  optional: [...optional, 'offline'],
})

/** WHOOP API v2, as https://developer.whoop.com/api describes it. */
export const WHOOP: Connector = {
  slug: SLUG,
  hosts: { api: 'https://api.prod.whoop.com' },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'api', path: '/oauth/oauth2/auth' },
    tokenEndpoint: { host: 'api', path: '/oauth/oauth2/token' },
    revocationRequest: () => ({ method: 'DELETE', path: '/developer/v2/user/access' }),
    parameters: { refresh: { scope: 'offline' } },
    clientAuthentication: 'client_secret_post',
    usesPkce: false,
    scopes: [
      'offline',
      'read:profile',
      'read:body_measurement',
      'read:cycles',
      'read:sleep',
      'read:recovery',
      'read:workout',
    ],
    async identify(fetchJson) {
      const person = await fetchJson({ path: '/developer/v2/user/profile/basic' })
      if (isFields(person) && Number.isSafeInteger(person.user_id)) return String(person.user_id)
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    },
  },
  scopes: {
    activity: scopeNeed(['read:cycles']),
    sleep: scopeNeed(['read:sleep'], 'read:recovery'),
    workouts: scopeNeed(['read:workout']),
    body: scopeNeed(['read:body_measurement']),
    profile: scopeNeed(['read:body_measurement', 'read:profile']),
  },
  collections: COLLECTIONS,
  budgets: [
    { per: 'app', requests: 100, seconds: 60 },
    { per: 'app', requests: 10_000, seconds: 86_400 },
  ],
  // Five requests a poll: every 15 minutes, 20 people would use up the day of an app.
  pollMinutes: 60,
  push: WHOOP_PUSH,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://developer.whoop.com/api',
    timeZones:
      'Records are in UTC with the offset of the place at recording; `Z` is an offset of 0. A cycle belongs to the local day twelve hours after its start, a sleep to that of its end.',
    limits:
      'An app may send 100 requests a minute and 10,000 a day. It serves ten members until the vendor has approved it. Without messages new data come once an hour.',
    registration: [
      'Create a team and an app at https://developer-dashboard.whoop.com; the account needs a membership.',
      'Enter the redirect address that `salus providers check whoop_v2` prints, and choose all scopes: offline and the six that begin with read.',
      'Enter the push address that `salus providers check whoop_v2` prints as webhook address, with the model v2.',
      'Put its client id and client secret under `whoop_v2` in `SALUS_PROVIDER_APPS`. Messages are signed with the client secret.',
    ],
    notes: [
      'A cycle, from one sleep to the next, is an activity; two may fall on one day.',
      'The vendor sends the seconds of each stage and no course of the night, so there is no sleep cycle.',
      'A cycle or sleep without a score yet is stored when it has one, and absent while the vendor scores it again; a sleep that cannot be scored has times only.',
      'Recovery, resting heart rate, heart rate variability and skin temperature are columns of the sleep they belong to.',
      'Strain, blood oxygen and the highest heart rate of a person have no place in the data; records are kept as raw data.',
      'The vendor does not date weights: a weight stands on the day on which it was seen last.',
      'The vendor sends no message when a person ends the access; the next refresh finds it.',
    ],
  },
  failureOf(answer): VendorFailure | undefined {
    if (answer.status !== 429) return undefined
    // The vendor sends no Retry-After.
    const seconds = Number(answer.header('x-ratelimit-reset') ?? Number.NaN)
    const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
    return { kind: 'rate_limited', retryAfterMs }
  },
}
