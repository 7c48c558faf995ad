import type { Collection, Connector, TimeRange } from '../connector.ts'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { mapCalibrations, mapEvents, mapMeterEvents, mapReadings, SLUG } from './dexcom.mapper.ts'

const PATH = '/v3/users/self'
const ACCESS = { required: ['offline_access'], optional: [] }

/** `2026-02-06T09:12:35`, in UTC. */
const utcSecond = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19)

/** Requests the records of a range, which is in whole seconds of `systemTime`. */
const recordsOfRange = (list: string, { from, to }: TimeRange): VendorRequest => ({
  path: `${PATH}/${list}`,
  query: {
    startDate: utcSecond(Math.floor(from / 1000)),
    endDate: utcSecond(Math.ceil(to / 1000)),
  },
})

/**
 * An answer has all records of its range: there are no pages. 30 days are allowed, also with the
 * parts of seconds that rounding adds.
 */
const listed = (list: string, overlapHours: number) =>
  ({
    name: list,
    history: 'by_range',
    mostDaysAtOnce: 29,
    overlapHours,
    page: (range) => recordsOfRange(list, range),
    next: () => null,
  }) satisfies Partial<Collection>

const COLLECTIONS: readonly Collection[] = [
  {
    // A phone fills gaps after days, a receiver uploads after weeks.
    ...listed('egvs', 14 * 24),
    resources: ['glucose'],
    // Values of a meter belong to the same series, so the answers together complete it.
    completes: { series: ['glucose'] },
    details: (_answer, { range }) => [
      recordsOfRange('calibrations', range),
      recordsOfRange('events', range),
    ],
    map(answer, data, [calibrations, events]) {
      mapReadings(answer, data)
      if (calibrations !== undefined) mapCalibrations(calibrations, data)
      if (events !== undefined) mapMeterEvents(events, data)
    },
  },
  { ...listed('calibrations', 14 * 24), resources: ['glucose'], map: mapCalibrations },
  {
    // People correct and delete entries later; there are few.
    ...listed('events', 28 * 24),
    resources: ['carbohydrates', 'insulin_injection', 'note', 'glucose'],
    completes: { series: ['carbohydrates', 'insulin_injection', 'note'] },
    map: mapEvents,
  },
]

/** Dexcom API v3, as https://developer.dexcom.com/docs describes it. */
export const DEXCOM_V3: Connector = {
  slug: SLUG,
  hosts: { api: 'https://api.dexcom.com' },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'api', path: '/v3/oauth2/login' },
    tokenEndpoint: { host: 'api', path: '/v3/oauth2/token' },
    clientAuthentication: 'client_secret_post',
    usesPkce: false,
    regions: {
      us: {},
      eu: { api: 'https://api.dexcom.eu' },
      jp: { api: 'https://api.dexcom.jp' },
    },
    regionOfOthers: 'eu',
    scopes: ['offline_access'],
    async identify(fetchJson) {
      const held = await fetchJson({ path: `${PATH}/dataRange` })
      if (isFields(held) && typeof held.userId === 'string' && held.userId !== '') {
        return held.userId
      }
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    },
  },
  scopes: {
    glucose: ACCESS,
    carbohydrates: ACCESS,
    insulin_injection: ACCESS,
    note: ACCESS,
  },
  collections: COLLECTIONS,
  budgets: [{ per: 'app', requests: 60_000, seconds: 3600 }],
  // The vendor itself shows data only hours later.
  pollMinutes: 30,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://developer.dexcom.com/docs',
    timeZones:
      'Instants are `systemTime`. The offset is that of `displayTime`, and unknown for receivers, which write none.',
    limits:
      'An app may send 60,000 requests an hour. Data appear after 1 to 3 hours, those of receivers after an upload.',
    registration: [
      'Create an app at https://developer.dexcom.com and request access to production data; the first stage serves 20 users.',
      'Enter the redirect address that `salus providers check dexcom_v3` prints.',
      'Put its client id and client secret under `dexcom_v3` in `SALUS_PROVIDER_APPS`.',
    ],
    notes: [
      'Readings below 40 and above 400 mg/dL, which the vendor marks `low` and `high`, have no value and are quarantined.',
      'Calibrations and blood glucose that a person entered are glucose of the type `fingerprick`.',
      'Exercise and health events are notes.',
      'Of a reading that a phone and a receiver uploaded, that of the phone is stored.',
      'The vendor cannot revoke a grant on request: people do it in their account.',
    ],
  },
}
