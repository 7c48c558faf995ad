import type { Collection, Connector } from '../connector.ts'
import { isFields } from '../vendor-records.ts'
import { mapActivities, mapActivityDetails } from './activities.mapper.ts'
import { GARMIN_PUSH } from './garmin-push.ts'
import { SLUG, textOf, unexpected } from './garmin-records.ts'
import {
  mapBloodPressures,
  mapBodyCompositions,
  mapMenstrualCycles,
  mapSkinTemperature,
  mapUserMetrics,
} from './measurements.mapper.ts'
import { mapSleeps } from './sleep.mapper.ts'
import {
  mapDailies,
  mapEpochs,
  mapPulseOx,
  mapRespiration,
  mapSnapshots,
  mapStress,
  mapVariability,
} from './wellness.mapper.ts'

const USER = '/partner-gateway/rest/user'
const BACKFILL = '/wellness-api/rest/backfill'

/**
 * A type of records. The vendor sends them in messages; those of the past after a request, once for
 * each time.
 * @param backfill Its name in requests for the past, where it differs from that in messages.
 */
const pushed = (
  name: string,
  resources: readonly string[],
  map: Collection['map'],
  backfill = name,
): Collection => ({
  name,
  resources,
  history: 'by_message',
  // Documented are 90 for health and 30 for activities; some apps have 30 for all.
  mostDaysAtOnce: 30,
  overlapHours: 0,
  page: ({ from, to }) => ({
    path: `${BACKFILL}/${backfill}`,
    query: {
      summaryStartTimeInSeconds: String(Math.floor(from / 1000)),
      summaryEndTimeInSeconds: String(Math.ceil(to / 1000)),
    },
  }),
  next: () => null,
  map,
})

const COLLECTIONS: readonly Collection[] = [
  pushed('dailies', ['activity', 'heartrate'], mapDailies),
  pushed('epochs', ['calories_active', 'steps', 'distance'], mapEpochs),
  pushed('sleeps', ['sleep', 'sleep_cycle'], mapSleeps),
  pushed('hrv', ['hrv'], mapVariability),
  pushed('stressDetails', ['stress_level'], mapStress),
  pushed('allDayRespiration', ['respiratory_rate'], mapRespiration, 'respiration'),
  pushed('pulseox', ['blood_oxygen'], mapPulseOx, 'pulseOx'),
  pushed('bodyComps', ['body'], mapBodyCompositions),
  pushed('bloodPressures', ['blood_pressure', 'heartrate'], mapBloodPressures),
  pushed('skinTemp', ['body_temperature_delta'], mapSkinTemperature),
  pushed('userMetrics', ['vo2_max'], mapUserMetrics),
  pushed('healthSnapshot', ['hrv', 'blood_oxygen'], mapSnapshots),
  pushed('mct', ['menstrual_cycle'], mapMenstrualCycles),
  pushed('activities', ['workouts', 'device'], mapActivities),
  pushed('activityDetails', ['workouts', 'workout_stream', 'device'], mapActivityDetails),
]

/**
 * Garmin's Health and Activity APIs. Their specification is for partners only; this connector
 * follows what public clients and their tests show.
 */
export const GARMIN: Connector = {
  slug: SLUG,
  hosts: {
    api: 'https://apis.garmin.com',
    web: 'https://connect.garmin.com',
    tokens: 'https://diauth.garmin.com',
  },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'web', path: '/oauth2Confirm' },
    tokenEndpoint: { host: 'tokens', path: '/di-oauth2-service/oauth/token' },
    // The vendor requires it when a user leaves.
    revocationRequest: () => ({ method: 'DELETE', path: `${USER}/registration` }),
    clientAuthentication: 'client_secret_post',
    usesPkce: true,
    // The user chooses on the vendor's page what is exported.
    scopes: [],
    async identify(fetchJson) {
      const user = await fetchJson({ path: `${USER}/id` })
      const id = isFields(user) ? textOf(user.userId) : undefined
      if (id === undefined) throw unexpected()
      return id
    },
  },
  collections: COLLECTIONS,
  budgets: [{ per: 'app', requests: 100, seconds: 60 }],
  push: GARMIN_PUSH,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://developer.garmin.com/gc-developer-program/health-api/',
    timeZones:
      'Records are in UTC with the offset of the device. Menstrual cycles and oxygen uptake have a date only.',
    limits:
      'An app may send 100 requests a minute before its review, and 3,000 after it. The past is requested once for each type and 30 days. Without the permission for historical data it begins 30 days before the sign-in.',
    registration: [
      'Apply for the Garmin Connect Developer Program at https://developer.garmin.com/gc-developer-program/. The vendor accepts businesses only.',
      'Create an app for OAuth 2 with PKCE with the Health API, the Activity API and, for cycles, Women’s Health.',
      'Enter the redirect address that `salus providers check garmin` prints.',
      'In the endpoint configuration of the app enter the address of messages that `salus providers check garmin` prints, for each type of summary and for deregistrations and permission changes. Choose push, not ping.',
      'Put its client id and client secret under `garmin` in `SALUS_PROVIDER_APPS`.',
    ],
    notes: [
      'The specification of the vendor is confidential, so the connector follows public clients. Compare it with your copy before you rely on it.',
      'Messages are not signed. Keep their address secret.',
      'Steps, distance and active energy come from quarters of an hour (epochs), heart rates from days.',
      'Activities of several sports are stored as their parts, without their sum.',
      'Movements that a watch guessed (Move IQ) are not workouts, because the days contain them.',
      'The vendor sends nothing when a user deletes a record.',
    ],
  },
  failureOf({ status }) {
    // The user did not allow the export of this type.
    return status === 412 ? { kind: 'refused' } : undefined
  },
}
