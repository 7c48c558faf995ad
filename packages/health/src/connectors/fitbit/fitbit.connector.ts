import type { Collection, Connector, ScopeNeed } from '../connector.ts'
import type { VendorFailure } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import {
  intradayDetails,
  intradayPath,
  mapDays,
  mapIntraday,
  summaryDetails,
  summaryPath,
} from './days.mapper.ts'
import {
  daysOf,
  PERSON,
  PROFILE,
  pagedByDay,
  pagedByDays,
  pagedByFirstDay,
  pagedByOffset,
  presentState,
  SLUG,
  unexpected,
} from './fitbit-pages.ts'
import { FITBIT_PUSH } from './fitbit-push.ts'
import { mapFoods } from './foods.mapper.ts'
import {
  mapAlerts,
  mapBloodOxygen,
  mapBody,
  mapDevices,
  mapOxygenUptake,
  mapProfile,
  mapTemperatures,
  mapVariability,
} from './records.mapper.ts'
import {
  breathDetails,
  mapBreath,
  mapSleep,
  sleepDays,
  sleepDetails,
  sleepPath,
} from './sleep.mapper.ts'
import { mapWorkouts, streamDetails } from './workouts.mapper.ts'

const needs = (required: string, ...optional: string[]): ScopeNeed => ({
  required: [required],
  optional,
})
const withProfile = () => [PROFILE]

const COLLECTIONS: readonly Collection[] = [
  {
    name: 'activities',
    resources: ['activity', 'calories_active'],
    ...pagedByFirstDay(summaryPath),
    completes: { series: ['calories_active'] },
    details: summaryDetails,
    map: mapDays,
  },
  {
    name: 'heart',
    resources: ['heartrate'],
    ...pagedByFirstDay(intradayPath('heart')),
    // After a journey the vendor shows the same minutes in another zone.
    completes: { series: ['heartrate'] },
    details: intradayDetails('heart'),
    map: mapIntraday,
  },
  {
    name: 'steps',
    resources: ['steps', 'distance'],
    ...pagedByFirstDay(intradayPath('steps')),
    completes: { series: ['steps', 'distance'] },
    details: intradayDetails('steps', 'distance'),
    map: mapIntraday,
  },
  {
    name: 'activity_logs',
    resources: ['workouts', 'workout_stream'],
    ...pagedByOffset('activities', 'startTime', 'activities/list.json', '100'),
    completes: { summaries: ['workouts'] },
    details: streamDetails,
    map: mapWorkouts,
  },
  {
    name: 'sleep',
    resources: ['sleep', 'sleep_cycle'],
    ...pagedByDays(sleepPath, 1),
    page: (range) => ({ path: `/${sleepPath(sleepDays({ range }))}` }),
    // A sleep that was edited has another id.
    completes: { summaries: ['sleep'] },
    details: sleepDetails,
    map: mapSleep,
  },
  {
    name: 'body',
    resources: ['body', 'weight', 'fat'],
    ...pagedByDays((days) => `body/log/weight/date/${days}.json`),
    completes: { series: ['body_weight', 'body_fat'], summaries: ['body'] },
    details: (_answer, { range }) => [
      PROFILE,
      { path: `${PERSON}/body/log/fat/date/${daysOf(range)}.json` },
    ],
    map: mapBody,
  },
  {
    name: 'foods',
    resources: ['meal', 'water'],
    ...pagedByDay((day) => `foods/log/date/${day}.json`),
    completes: { series: ['water'] },
    map: mapFoods,
  },
  {
    name: 'hrv',
    resources: ['hrv'],
    ...pagedByDays((days) => `hrv/date/${days}/all.json`, 1),
    completes: { series: ['hrv'] },
    details: withProfile,
    map: mapVariability,
  },
  {
    name: 'spo2',
    resources: ['blood_oxygen'],
    ...pagedByDays((days) => `spo2/date/${days}/all.json`, 1),
    completes: { series: ['blood_oxygen'] },
    details: withProfile,
    map: mapBloodOxygen,
  },
  {
    name: 'br',
    resources: ['respiratory_rate'],
    ...pagedByDays((days) => `br/date/${days}/all.json`, 1),
    completes: { series: ['respiratory_rate'] },
    details: breathDetails,
    map: mapBreath,
  },
  {
    name: 'temp_core',
    resources: ['body_temperature'],
    ...pagedByDays((days) => `temp/core/date/${days}.json`),
    completes: { series: ['body_temperature'] },
    details: withProfile,
    map: mapTemperatures,
  },
  {
    name: 'cardioscore',
    resources: ['vo2_max'],
    ...pagedByDays((days) => `cardioscore/date/${days}.json`),
    map: mapOxygenUptake,
  },
  {
    name: 'irn_alerts',
    resources: ['heart_rate_alert'],
    ...pagedByOffset('alerts', 'alertTime', 'irn/alerts/list.json', '10'),
    completes: { series: ['heart_rate_alert'] },
    details: withProfile,
    map: mapAlerts,
  },
  { name: 'profile', resources: ['profile'], ...presentState('profile.json'), map: mapProfile },
  { name: 'devices', resources: ['device'], ...presentState('devices.json'), map: mapDevices },
]

/** Fitbit Web API, as https://dev.fitbit.com/build/reference/web-api describes it. */
export const FITBIT: Connector = {
  slug: SLUG,
  hosts: { api: 'https://api.fitbit.com', web: 'https://www.fitbit.com' },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'web', path: '/oauth2/authorize' },
    tokenEndpoint: { host: 'api', path: '/oauth2/token' },
    revocationEndpoint: { host: 'api', path: '/oauth2/revoke' },
    keptTokenFields: ['user_id'],
    toStandardAnswer,
    clientAuthentication: 'client_secret_basic',
    usesPkce: true,
    scopes: [
      'activity',
      'cardio_fitness',
      'heartrate',
      'irregular_rhythm_notifications',
      'nutrition',
      'oxygen_saturation',
      'profile',
      'respiratory_rate',
      'settings',
      'sleep',
      'temperature',
      'weight',
    ],
    async identify(_fetchJson, { extra }) {
      if (extra?.user_id) return extra.user_id
      throw unexpected()
    },
  },
  appSecrets: {
    verification_code: {
      meaning:
        'Code with which the vendor verifies the address of messages, from the page of the app.',
      isRequired: false,
    },
  },
  scopes: {
    activity: needs('activity', 'profile', 'heartrate'),
    calories_active: needs('activity', 'profile'),
    steps: needs('activity', 'profile'),
    distance: needs('activity', 'profile'),
    workouts: needs('activity', 'heartrate'),
    workout_stream: needs('activity', 'heartrate'),
    heartrate: needs('heartrate', 'profile'),
    sleep: needs('sleep', 'profile', 'heartrate', 'respiratory_rate', 'temperature'),
    sleep_cycle: needs('sleep', 'profile'),
    hrv: needs('heartrate', 'profile'),
    blood_oxygen: needs('oxygen_saturation', 'profile'),
    respiratory_rate: needs('respiratory_rate', 'profile', 'sleep'),
    body_temperature: needs('temperature', 'profile'),
    vo2_max: needs('cardio_fitness'),
    heart_rate_alert: needs('irregular_rhythm_notifications', 'profile'),
    body: needs('weight', 'profile'),
    weight: needs('weight', 'profile'),
    fat: needs('weight', 'profile'),
    meal: needs('nutrition'),
    water: needs('nutrition'),
    profile: needs('profile'),
    device: needs('settings'),
  },
  collections: COLLECTIONS,
  budgets: [{ per: 'credential', requests: 150, seconds: 3600 }],
  // A poll of all collections needs about half of the hour's requests.
  pollMinutes: 60,
  push: FITBIT_PUSH,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://dev.fitbit.com/build/reference/web-api',
    timeZones:
      'Activity logs have an offset. All other times are local, and read in the zone of the profile; without the scope `profile` they have no offset.',
    limits: 'A person may send 150 requests an hour; the count begins anew at the full hour.',
    registration: [
      'Create an application of the type Server at https://dev.fitbit.com/apps, and request access to intraday data.',
      'Enter the redirect address that `salus providers check fitbit` prints.',
      'Put its client id and client secret under `fitbit` in `SALUS_PROVIDER_APPS`.',
      'Add a subscriber with the push address that the same command prints, in JSON, and put its verification code under `secrets.verification_code`; then press Verify.',
    ],
    notes: [
      'The vendor announced that this API ends in September 2026 in favor of `google_health`.',
      'Recorded payloads were compared of sleep, weight, steps by minute and activity logs; the others follow the documented schema.',
      '`calories_active` is one value a day, because calories by minute include those of rest.',
      'Of a VO2 max range, such as 44-48, the middle is stored.',
      'Workout streams are made of intraday data and have no route.',
      'Breathing rates stand in the middle of each segment of a stage.',
    ],
  },
  failureOf(answer): VendorFailure | undefined {
    if (answer.status === 401 && /insufficient_(scope|permissions)/.test(textOf(answer.bytes()))) {
      return { kind: 'refused' }
    }
    if (answer.status !== 429) return undefined
    const header = answer.header('retry-after') ?? answer.header('fitbit-rate-limit-reset') ?? ''
    return {
      kind: 'rate_limited',
      retryAfterMs: /^\d+$/.test(header) ? Number(header) * 1000 : null,
    }
  },
}

const textOf = (bytes: Buffer): string => bytes.toString('utf8')

/** Errors are `{"errors": [{"errorType", "message"}], "success": false}` for tokens too. */
function toStandardAnswer(answer: unknown): Record<string, unknown> {
  const { errors, ...fields } = isFields(answer) ? answer : {}
  const [error] = Array.isArray(errors) ? errors : []
  return isFields(error) ? { error: error.errorType, error_description: error.message } : fields
}
