import type { Collection, Connector, ScopeNeed } from '../connector.ts'
import { VendorError, type VendorFailure } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { pagedByDay, pagedByTime, presentState, SLUG } from './oura-pages.ts'
import { OURA_PUSH } from './oura-push.ts'
import {
  mapActivity,
  mapBloodOxygen,
  mapHeartRates,
  mapOxygenUptake,
  mapProfile,
  mapRings,
  mapStress,
  mapWorkouts,
} from './records.mapper.ts'
import { mapSleep, sleepDetails } from './sleep.mapper.ts'

const scopeNeed = (required: string, ...optional: string[]): ScopeNeed => ({
  required: [required],
  optional,
})

const COLLECTIONS: readonly Collection[] = [
  {
    name: 'daily_activity',
    resources: ['activity'],
    ...pagedByDay('daily_activity'),
    map: mapActivity,
  },
  {
    name: 'sleep',
    resources: ['sleep', 'sleep_cycle', 'hrv', 'respiratory_rate', 'body_temperature_delta'],
    ...pagedByDay('sleep'),
    details: sleepDetails,
    map: mapSleep,
  },
  { name: 'workout', resources: ['workouts'], ...pagedByDay('workout'), map: mapWorkouts },
  { name: 'heartrate', resources: ['heartrate'], ...pagedByTime('heartrate'), map: mapHeartRates },
  {
    name: 'daily_spo2',
    resources: ['blood_oxygen'],
    ...pagedByDay('daily_spo2'),
    map: mapBloodOxygen,
  },
  {
    name: 'daily_stress',
    resources: ['stress_level'],
    ...pagedByDay('daily_stress'),
    map: mapStress,
  },
  { name: 'vo2_max', resources: ['vo2_max'], ...pagedByDay('vO2_max'), map: mapOxygenUptake },
  {
    name: 'personal_info',
    resources: ['profile'],
    ...presentState('personal_info'),
    map: mapProfile,
  },
  {
    name: 'ring_configuration',
    resources: ['device'],
    ...presentState('ring_configuration'),
    map: mapRings,
  },
]

/** Oura API v2, as https://cloud.ouraring.com/v2/docs describes it. */
export const OURA: Connector = {
  slug: SLUG,
  hosts: { api: 'https://api.ouraring.com', web: 'https://cloud.ouraring.com' },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'web', path: '/oauth/authorize' },
    tokenEndpoint: { host: 'api', path: '/oauth/token' },
    // Not RFC 7009: the token is a parameter of the query.
    revocationRequest: ({ accessToken }) => ({
      method: 'POST',
      path: '/oauth/revoke',
      query: { access_token: accessToken },
    }),
    clientAuthentication: 'client_secret_post',
    usesPkce: false,
    scopes: [
      'personal',
      'daily',
      'heartrate',
      'workout',
      'spo2',
      'stress',
      'heart_health',
      'ring_configuration',
    ],
    async identify(fetchJson) {
      const person = await fetchJson({ path: '/v2/usercollection/personal_info' })
      if (isFields(person) && typeof person.id === 'string' && person.id !== '') return person.id
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    },
  },
  scopes: {
    activity: scopeNeed('daily'),
    sleep: scopeNeed('daily'),
    sleep_cycle: scopeNeed('daily'),
    hrv: scopeNeed('daily'),
    respiratory_rate: scopeNeed('daily'),
    body_temperature_delta: scopeNeed('daily'),
    stress_level: scopeNeed('daily', 'stress'),
    workouts: scopeNeed('workout'),
    heartrate: scopeNeed('heartrate'),
    blood_oxygen: scopeNeed('spo2'),
    vo2_max: scopeNeed('heart_health'),
    profile: scopeNeed('personal'),
    device: scopeNeed('ring_configuration'),
  },
  collections: COLLECTIONS,
  budgets: [{ per: 'app', requests: 5000, seconds: 300 }],
  push: OURA_PUSH,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://cloud.ouraring.com/v2/docs',
    timeZones: 'Records have the offset of the place; heart rates are in UTC, without an offset.',
    limits: 'An app may send 5,000 requests in 5 minutes.',
    registration: [
      'Create an application at https://cloud.ouraring.com/oauth/applications.',
      'Enter the redirect address that `salus providers check oura` prints.',
      'Put its client id and client secret under `oura` in `SALUS_PROVIDER_APPS`.',
    ],
    notes: ['An app serves ten users until the vendor has reviewed it.'],
  },
  failureOf(answer): VendorFailure | undefined {
    // The vendor answers 401 also for a missing scope, and says so: a new token would not help.
    const isOfScope = answer.status === 401 && /scope/i.test(answer.bytes().toString('utf8'))
    return isOfScope ? { kind: 'refused' } : undefined
  },
}
