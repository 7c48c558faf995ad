import type { Push, PushNotice } from '../connector.ts'
import { isFields } from '../vendor-records.ts'
import { type Fields, textOf, unexpected } from './garmin-records.ts'

/**
 * Names of the types of records in messages and the collection that maps them. Others are not
 * stored: movements that the watch guessed, which the days contain, and files of activities, whose
 * values the details contain.
 */
const COLLECTION_OF: Readonly<Record<string, string>> = {
  dailies: 'dailies',
  epochs: 'epochs',
  sleeps: 'sleeps',
  hrv: 'hrv',
  stressDetails: 'stressDetails',
  allDayRespiration: 'allDayRespiration',
  respiration: 'allDayRespiration',
  pulseox: 'pulseox',
  pulseOx: 'pulseox',
  bodyComps: 'bodyComps',
  bodyCompositions: 'bodyComps',
  bloodPressures: 'bloodPressures',
  skinTemp: 'skinTemp',
  skinTemps: 'skinTemp',
  userMetrics: 'userMetrics',
  healthSnapshot: 'healthSnapshot',
  healthSnapshots: 'healthSnapshot',
  mct: 'mct',
  menstrualCycleTracking: 'mct',
  activities: 'activities',
  manuallyUpdatedActivities: 'activities',
  activityDetails: 'activityDetails',
}

/**
 * Messages that hold the records themselves. They are not signed: the address of an app has a part
 * that only the vendor knows.
 */
export const GARMIN_PUSH: Push = {
  read(body) {
    if (!isFields(body)) throw unexpected()
    return Object.entries(body).flatMap(([name, records]) =>
      Array.isArray(records) ? noticesOf(name, records) : [],
    )
  },
}

/** A message can have records of several users. */
function noticesOf(name: string, records: readonly unknown[]): PushNotice[] {
  const byUser = Map.groupBy(records.filter(isFields), ({ userId }) => textOf(userId))
  return [...byUser].flatMap(([accountId, own]): PushNotice[] => {
    if (accountId === undefined) return []
    if (name === 'deregistrations') return [{ accountId, collection: null, range: null }]
    const collection = Object.hasOwn(COLLECTION_OF, name) ? COLLECTION_OF[name] : undefined
    const page = own.filter(hasData).map(withoutToken)
    if (collection === undefined || page.length === 0) return []
    return [{ accountId, collection, range: null, page: { [name]: page } }]
  })
}

/** A ping has only the address of its records: operators register pushes instead. */
const hasData = ({ callbackURL }: Fields): boolean => callbackURL === undefined

/** A token of the user is not part of a record. */
function withoutToken({ userAccessToken: _token, ...record }: Fields): Fields {
  return record
}
