import { DAY_MS } from '@salus/contracts/time-units'
import type { Collection, Connector, ScopeNeed } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import type { VendorFailure } from '../vendor-client.ts'
import { activityDetails, mapActivity } from './activity.mapper.ts'
import { type BodyType, bodyDetails, mapBody, mapDevices, mapHeight } from './body.mapper.ts'
import { exerciseDetails, mapExercises } from './exercise.mapper.ts'
import {
  dailyRollUp,
  nextToken,
  pagedHours,
  pagedPoints,
  pointsRequest,
  presentState,
  type RecordKind,
  SLUG,
  unexpected,
} from './google-pages.ts'
import { AUTHORIZATION, GOOGLE_HEALTH_PUSH, SERVICE_ACCOUNT } from './google-push.ts'
import { mapElectrocardiograms, mapRhythmNotifications } from './heart-events.mapper.ts'
import { mapNutrition } from './nutrition.mapper.ts'
import { fieldsOf, textOf } from './points.ts'
import {
  mapFloors,
  mapMeansOfDays,
  mapSamples,
  SAMPLE_TYPES,
  type SampleTypeName,
} from './samples.mapper.ts'
import { mapSleep, sleepDetails } from './sleep.mapper.ts'

const completed = (type: SampleTypeName) => ({ series: [SAMPLE_TYPES[type].series] })

/** A collection whose series no other one has, so that what an answer lacks was deleted. */
const ofSamples = (
  type: SampleTypeName,
  kind: RecordKind,
  resource: string = SAMPLE_TYPES[type].series,
  mostDaysAtOnce = 30,
): Collection => ({
  name: type,
  resources: [resource],
  ...pagedPoints(type, kind, { mostDaysAtOnce, read: kind === 'session' ? 'list' : 'reconcile' }),
  completes: completed(type),
  map: (answer, data) => mapSamples(type, answer, data),
})

/** A collection whose series others have too. */
const ofShared = (type: SampleTypeName, kind: RecordKind, mostDaysAtOnce = 30): Collection => {
  const { completes: _completes, ...collection } = ofSamples(
    type,
    kind,
    SAMPLE_TYPES[type].series,
    mostDaysAtOnce,
  )
  return collection
}

/** Means of days, which are stored where the samples of a day are missing. */
const ofMeans = (type: SampleTypeName, samplesOf: SampleTypeName): Collection => ({
  ...ofShared(type, 'daily', 14),
  details: (_answer, { range }) => {
    // Also the nights before and after the local days of the range.
    const span = { from: range.from - 2 * DAY_MS, to: range.to + 2 * DAY_MS }
    return [{ ...pointsRequest(samplesOf, 'sample', 'reconcile', span), isOptional: true }]
  },
  map: (answer, data, [samples]) => mapMeansOfDays(type, samplesOf, answer, data, samples),
})

const ofBody = (type: BodyType, resource: string): Collection => ({
  name: type,
  resources: [resource, 'body'],
  ...pagedPoints(type, 'sample', { read: 'list' }),
  completes: { ...completed(type), summaries: ['body'] },
  details: bodyDetails(type),
  map: mapBody(type),
})

/**
 * Each session needs further requests. A range that the limit of a user interrupts starts again, so
 * that it must be short.
 */
const FEW_DAYS = { read: 'list', mostDaysAtOnce: 5 } as const

const COLLECTIONS: readonly Collection[] = [
  {
    name: 'activity',
    resources: ['activity'],
    history: 'by_range',
    // With a day more at either end, and the present one, that is the 14 of the vendor.
    mostDaysAtOnce: 11,
    overlapHours: 72,
    completes: { summaries: ['activity'] },
    page: (range, cursor) => dailyRollUp('steps', range, cursor),
    next: nextToken,
    details: activityDetails,
    map: mapActivity,
  },
  ofSamples('steps', 'interval'),
  ofSamples('distance', 'interval'),
  {
    name: 'floors',
    resources: ['floors_climbed'],
    ...pagedHours('floors'),
    completes: completed('floors'),
    map: (answer, data: PageData) => mapFloors(answer, data),
  },
  ofSamples('active-energy-burned', 'interval'),
  ofSamples('heart-rate', 'sample', 'heartrate', 3),
  ofShared('heart-rate-variability', 'sample'),
  ofMeans('daily-heart-rate-variability', 'heart-rate-variability'),
  ofShared('oxygen-saturation', 'sample'),
  ofMeans('daily-oxygen-saturation', 'oxygen-saturation'),
  ofShared('respiratory-rate-sleep-summary', 'sample'),
  ofMeans('daily-respiratory-rate', 'respiratory-rate-sleep-summary'),
  ofSamples('core-body-temperature', 'sample'),
  ofSamples('blood-glucose', 'sample'),
  ofShared('run-vo2-max', 'sample'),
  ofShared('vo2-max', 'sample'),
  ofShared('daily-vo2-max', 'daily'),
  ofBody('weight', 'weight'),
  ofBody('body-fat', 'fat'),
  {
    name: 'height',
    resources: ['profile'],
    ...presentState('dataTypes/height/dataPoints', { pageSize: '100' }),
    // The newest comes first.
    next: () => null,
    map: mapHeight,
  },
  ofSamples('hydration-log', 'session', 'water'),
  {
    name: 'nutrition-log',
    resources: ['meal', 'carbohydrates', 'caffeine'],
    ...pagedPoints('nutrition-log', 'session', { read: 'list' }),
    completes: { series: ['carbohydrates', 'caffeine'], summaries: ['meal'] },
    map: mapNutrition,
  },
  {
    name: 'sleep',
    resources: ['sleep', 'sleep_cycle'],
    ...pagedPoints('sleep', 'sleep', FEW_DAYS),
    completes: { summaries: ['sleep'] },
    details: sleepDetails,
    map: mapSleep,
  },
  {
    name: 'exercise',
    resources: ['workouts', 'workout_stream'],
    ...pagedPoints('exercise', 'session', FEW_DAYS),
    completes: { summaries: ['workouts'] },
    details: exerciseDetails,
    map: mapExercises,
  },
  {
    name: 'electrocardiogram',
    resources: ['electrocardiogram', 'electrocardiogram_voltage'],
    ...pagedPoints('electrocardiogram', 'ecg', { read: 'list' }),
    map: mapElectrocardiograms,
  },
  {
    name: 'irregular-rhythm-notification',
    resources: ['heart_rate_alert'],
    ...pagedPoints('irregular-rhythm-notification', 'session', { read: 'list' }),
    map: mapRhythmNotifications,
  },
  {
    name: 'pairedDevices',
    resources: ['device'],
    ...presentState('pairedDevices'),
    map: mapDevices,
  },
]

const scopeOf = (name: string): string =>
  `https://www.googleapis.com/auth/googlehealth.${name}.readonly`
const ACTIVITY = scopeOf('activity_and_fitness')
const MEASUREMENTS = scopeOf('health_metrics_and_measurements')
const SLEEP = scopeOf('sleep')
const NUTRITION = scopeOf('nutrition')
const ECG = scopeOf('ecg')
const IRN = scopeOf('irn')
const LOCATION = scopeOf('location')
const SETTINGS = scopeOf('settings')

const need = (required: string, ...optional: string[]): ScopeNeed => ({
  required: [required],
  optional,
})
const needs = (required: string, resources: readonly string[]) =>
  Object.fromEntries(resources.map((resource) => [resource, need(required)]))

/** Google Health API v4, as its discovery document and https://developers.google.com/health say. */
export const GOOGLE_HEALTH: Connector = {
  slug: SLUG,
  hosts: {
    api: 'https://health.googleapis.com',
    accounts: 'https://accounts.google.com',
    oauth: 'https://oauth2.googleapis.com',
  },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'accounts', path: '/o/oauth2/v2/auth' },
    tokenEndpoint: { host: 'oauth', path: '/token' },
    revocationEndpoint: { host: 'oauth', path: '/revoke' },
    clientAuthentication: 'client_secret_post',
    usesPkce: true,
    // Without consent a person who comes back brings no refresh token.
    parameters: {
      authorization: {
        access_type: 'offline',
        prompt: 'consent',
        include_granted_scopes: 'true',
      },
    },
    scopes: [ACTIVITY, MEASUREMENTS, SLEEP, NUTRITION, ECG, IRN, LOCATION, SETTINGS],
    async identify(fetchJson) {
      // Messages name this id.
      const { healthUserId } = fieldsOf(await fetchJson({ path: '/v4/users/me/identity' }))
      const id = textOf(healthUserId)
      if (id === null) throw unexpected()
      return id
    },
  },
  appSecrets: {
    [SERVICE_ACCOUNT]: {
      meaning: 'JSON key of a service account of the project that may create subscribers.',
      isRequired: false,
    },
    [AUTHORIZATION]: {
      meaning:
        'Value of `Authorization` of messages, with its scheme, where you chose it yourself.',
      isRequired: false,
    },
  },
  scopes: {
    activity: need(ACTIVITY, MEASUREMENTS, SETTINGS),
    workouts: need(ACTIVITY, MEASUREMENTS, LOCATION),
    workout_stream: need(ACTIVITY, MEASUREMENTS, LOCATION),
    sleep: need(SLEEP, MEASUREMENTS),
    sleep_cycle: need(SLEEP),
    ...needs(ACTIVITY, ['steps', 'distance', 'floors_climbed', 'calories_active', 'vo2_max']),
    ...needs(MEASUREMENTS, [
      'heartrate',
      'hrv',
      'blood_oxygen',
      'respiratory_rate',
      'body_temperature',
      'glucose',
      'weight',
      'fat',
      'body',
      'profile',
    ]),
    ...needs(NUTRITION, ['meal', 'carbohydrates', 'caffeine', 'water']),
    ...needs(ECG, ['electrocardiogram', 'electrocardiogram_voltage']),
    heart_rate_alert: need(IRN),
    device: need(SETTINGS),
  },
  collections: COLLECTIONS,
  budgets: [
    // An app that is not verified may send half of the 300 of others.
    { per: 'credential', requests: 150, seconds: 60 },
    { per: 'app', requests: 120_000, seconds: 60 },
  ],
  pollMinutes: 60,
  push: GOOGLE_HEALTH_PUSH,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://developers.google.com/health',
    timeZones:
      'Records have the offset of the place. A night belongs to the day of its end, a day to the calendar of the person, with the zone of the settings.',
    limits:
      'A user allows 300 requests a minute, 150 by an app that is not verified. A project may send 120,000 a minute.',
    registration: [
      'Create a project at https://console.cloud.google.com, and enable the Google Health API.',
      'Create an OAuth client of the type web application, and enter the redirect address that `salus providers check google_health` prints.',
      'Add the scopes of the Google Health API under Data Access of the consent screen. Enter each user as a test user, or have the app verified.',
      'Put client id and client secret under `google_health` in `SALUS_PROVIDER_APPS`.',
      'For messages, create a service account that may create subscribers, and put its JSON key into `secrets` as `service_account`. Without it the data are polled.',
    ],
    notes: [
      'An app that is not verified serves 100 users. Refresh tokens of an app in testing end after 7 days.',
      'Series come from merged lists, which name no source; sessions and measurements of the body from lists with sources.',
      'Means of a night or day are stored where its samples are missing.',
      'The profile has only the height. Four zones of heart rates of the vendor are not the six of workouts, which are computed.',
      'An app checks the secret of messages; their signature, whose keys change, is not verified.',
    ],
  },
  failureOf(answer): VendorFailure | undefined {
    if (answer.status !== 400) return undefined
    // An account without a profile, or a type that this account or method does not have.
    const isTheirs = /FAILED_PRECONDITION|UNSUPPORTED_DATA_TYPE_ACTION/.test(
      answer.bytes().toString('utf8'),
    )
    return isTheirs ? { kind: 'refused' } : undefined
  },
}
