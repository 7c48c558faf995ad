import type { Collection, Connector, ScopeNeed } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { intradayDetails, mapActivity, mapIntraday, mapWorkouts } from './days.mapper.ts'
import { heartDetails, mapHeart } from './heart.mapper.ts'
import { MEASURE_TYPES, mapDevices, mapMeasures } from './measures.mapper.ts'
import { mapSleep, SUMMARY_FIELDS, sleepDetails } from './sleep.mapper.ts'
import {
  callOf,
  failureOf,
  pagedByDay,
  pagedByTime,
  SLUG,
  toStandardAnswer,
} from './withings-api.ts'
import { WITHINGS_PUSH } from './withings-push.ts'

const needOf = (...required: string[]): ScopeNeed => ({ required, optional: [] })

/** Synchronization may be late, and nights are analyzed anew. */
const OVERLAP_HOURS = 72
/** A scale may be without a network for weeks. */
const SCALE_OVERLAP_HOURS = 14 * 24

const RATES = 'hr_average,hr_min,hr_max'
const AMOUNTS = 'steps,distance,elevation,calories'

const COLLECTIONS: readonly Collection[] = [
  {
    name: 'measures',
    resources: [
      ...['weight', 'fat', 'body', 'blood_pressure', 'body_temperature', 'heartrate'],
      'blood_oxygen',
    ],
    ...pagedByTime({
      path: '/measure',
      action: 'getmeas',
      days: 90,
      overlapHours: SCALE_OVERLAP_HOURS,
      more: { meastypes: MEASURE_TYPES, category: '1' },
    }),
    // A measure of another member of the household vanishes. Heart rates come from elsewhere too.
    completes: {
      series: ['body_weight', 'body_fat', 'blood_pressure', 'body_temperature'],
      summaries: ['body'],
    },
    map: mapMeasures,
  },
  {
    name: 'activity',
    resources: ['activity'],
    ...pagedByDay({
      path: '/v2/measure',
      action: 'getactivity',
      days: 90,
      overlapHours: OVERLAP_HOURS,
      fields: `${AMOUNTS},soft,moderate,intense,active,totalcalories,${RATES}`,
    }),
    map: mapActivity,
  },
  {
    name: 'intraday',
    resources: ['heartrate', 'blood_oxygen'],
    ...pagedByTime({
      path: '/v2/measure',
      action: 'getintradayactivity',
      days: 1,
      overlapHours: 24,
      fields: 'heart_rate,spo2_auto',
    }),
    details: intradayDetails,
    map: mapIntraday,
  },
  {
    name: 'workouts',
    resources: ['workouts'],
    ...pagedByDay({
      path: '/v2/measure',
      action: 'getworkouts',
      days: 90,
      overlapHours: OVERLAP_HOURS,
      fields: `${AMOUNTS},manual_distance,manual_calories,${RATES},pause_duration,algo_pause_duration`,
    }),
    completes: { summaries: ['workouts'] },
    map: mapWorkouts,
  },
  {
    name: 'sleep',
    resources: ['sleep', 'sleep_cycle', 'heartrate'],
    ...pagedByDay({
      path: '/v2/sleep',
      action: 'getsummary',
      // Each night needs a further request, and a minute has 120 for all users: a page must not
      // need more than the budget has at once.
      days: 3,
      overlapHours: OVERLAP_HOURS,
      fields: SUMMARY_FIELDS,
    }),
    completes: { summaries: ['sleep'] },
    details: sleepDetails,
    map: mapSleep,
  },
  {
    name: 'heart',
    resources: ['electrocardiogram', 'electrocardiogram_voltage', 'heart_rate_alert'],
    ...pagedByTime({
      path: '/v2/heart',
      action: 'list',
      days: 7,
      overlapHours: OVERLAP_HOURS,
    }),
    completes: { series: ['heart_rate_alert'], summaries: ['electrocardiogram'] },
    details: heartDetails,
    map: mapHeart,
  },
  {
    name: 'devices',
    resources: ['device'],
    history: 'none',
    mostDaysAtOnce: 1,
    overlapHours: 0,
    page: () => callOf('/v2/user', 'getdevice'),
    next: () => null,
    map: mapDevices,
  },
]

/** Withings public API, as https://developer.withings.com/api-reference describes it. */
export const WITHINGS: Connector = {
  slug: SLUG,
  hosts: { api: 'https://wbsapi.withings.net', account: 'https://account.withings.com' },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'account', path: '/oauth2_user/authorize2' },
    tokenEndpoint: { host: 'api', path: '/v2/oauth2' },
    parameters: { token: { action: 'requesttoken' }, refresh: { action: 'requesttoken' } },
    toStandardAnswer,
    keptTokenFields: ['userid'],
    clientAuthentication: 'client_secret_post',
    usesPkce: false,
    scopes: ['user.info', 'user.metrics', 'user.activity', 'user.sleepevents'],
    scopeSeparator: ',',
    async identify(_fetchJson, { extra }) {
      if (extra?.userid) return extra.userid
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    },
  },
  scopes: {
    activity: needOf('user.activity'),
    body: needOf('user.metrics'),
    sleep: { required: ['user.activity'], optional: ['user.sleepevents'] },
    sleep_cycle: needOf('user.activity'),
    workouts: needOf('user.activity'),
    device: needOf('user.info'),
    blood_pressure: needOf('user.metrics'),
    body_temperature: needOf('user.metrics'),
    fat: needOf('user.metrics'),
    weight: needOf('user.metrics'),
    heartrate: { required: ['user.metrics'], optional: ['user.activity'] },
    blood_oxygen: { required: ['user.metrics'], optional: ['user.activity'] },
    electrocardiogram: needOf('user.activity'),
    electrocardiogram_voltage: needOf('user.activity'),
    heart_rate_alert: needOf('user.activity'),
  },
  collections: COLLECTIONS,
  budgets: [{ per: 'app', requests: 120, seconds: 60 }],
  // Messages name what is new; polls find what they missed.
  pollMinutes: 6 * 60,
  push: WITHINGS_PUSH,
  failureOf,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://developer.withings.com/api-reference',
    timeZones:
      'Instants are in UTC and have a time zone; days are those of the user. The rows of a day have no zone, and take that of their day.',
    limits: 'An app may send 120 requests a minute. Stages and heart rates take a request a day.',
    registration: [
      'Create an application of the public API at https://developer.withings.com/dashboard.',
      'Enter the redirect address that `salus providers check withings` prints as a callback address.',
      'Enter the address of messages that it prints as a further one; it must be reachable from the internet.',
      'Put its client id and client secret under `withings` in `SALUS_PROVIDER_APPS`.',
    ],
    notes: [
      'Goals, and measures that may be of another member of the household, are left out.',
      'A measure or night that is deleted at the vendor is removed; a heart rate of it stays.',
      'The vendor lets an app end its access only by a signature of other plans: the user ends it in the app of the vendor.',
      'A sleep monitor and a tracker that recorded the same night are two sources.',
    ],
  },
}
