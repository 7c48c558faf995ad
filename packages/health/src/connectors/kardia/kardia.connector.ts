import type { Connector, PasswordSignIn } from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import { failureOfStatus, readJson, VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { detailsOf, mapRecordings, oldestOf, SLUG } from './recordings.mapper.ts'

/** Stands for the id of the person in paths; `authorize` puts it in. */
const PATIENT = 'PATIENT_ID'

/** A recording has up to six leads of 9,000 voltages. */
const RECORDINGS_A_PAGE = 5

/** There is no public sign-in by a password: this one is that of the emulator. */
const signIn: PasswordSignIn['signIn'] = async (send, { username, password }, { now }) => {
  const form = { email: username, password }
  const answer = await send({ method: 'POST', path: '/v1/sessions', form })
  if (answer.status === 401) return { state: 'refused', reason: 'wrong_credential' }
  const failure = failureOfStatus(answer)
  if (failure !== undefined) throw new VendorError(SLUG, failure)
  const session = readJson(SLUG, answer)
  const { token, patientID: patientId, expiresIn } = isFields(session) ? session : {}
  if (typeof token !== 'string' || typeof patientId !== 'string' || patientId === '') {
    throw new VendorError(SLUG, { kind: 'unexpected', status: answer.status })
  }
  const tokens = {
    accessToken: token,
    refreshToken: null,
    expiresAt: typeof expiresIn === 'number' ? now + expiresIn * 1000 : null,
    extra: { patientId },
  }
  return { state: 'signed_in', tokens, accountId: patientId }
}

const SIGN_IN: PasswordSignIn = {
  kind: 'password',
  signIn,
  renew: async (send, _tokens, given, context) =>
    renewedTokens(SLUG, await signIn(send, given, context)),
}

/**
 * Electrocardiograms of Kardia. Recordings have the form of the API for clinics, which AliveCor
 * documents; it is not known how a person's password opens them.
 */
export const KARDIA: Connector = {
  slug: SLUG,
  hosts: { api: 'https://api.kardia.com' },
  auth: SIGN_IN,
  collections: [
    {
      name: 'recordings',
      resources: [
        'electrocardiogram',
        'electrocardiogram_voltage',
        'heart_rate_alert',
        'heartrate',
      ],
      history: 'newest_first',
      mostDaysAtOnce: 3660,
      // A phone without a connection uploads later.
      overlapHours: 168,
      page: (_range, cursor) => ({
        path: `/v1/patients/${PATIENT}/recordings`,
        query: { limit: String(RECORDINGS_A_PAGE), start: cursor ?? undefined },
      }),
      next(answer) {
        const { pageInfo } = isFields(answer) ? answer : {}
        const { hasNextPage, endCursor } = isFields(pageInfo) ? pageInfo : {}
        return hasNextPage === true && typeof endCursor === 'string' ? endCursor : null
      },
      oldestOf,
      details: detailsOf,
      map: mapRecordings,
    },
  ],
  budgets: [{ per: 'credential', requests: 60, seconds: 60 }],
  pollMinutes: 60,
  authorize: (request, { accessToken, extra }) => ({
    ...request,
    path: request.path.replace(PATIENT, encodeURIComponent(extra?.patientId ?? '')),
    headers: { ...request.headers, authorization: `Bearer ${accessToken}` },
  }),
  guide: {
    verification: 'emulator_only',
    sandboxOnly:
      'AliveCor documents an API for clinics only. How the password of a person opens their recordings is not known.',
    documentation: null,
    timeZones: 'Recordings have the offset of the place.',
    limits: 'Not known. Salus sends at most 60 requests a minute for a user.',
    registration: [],
    notes: [
      'The form of the recordings is that of the API for clinics; the sign-in is that of the emulator.',
      'Voltages are those that the device recorded, not those that were filtered. Recordings of twelve leads have none, because their form is not known.',
      'A possible atrial fibrillation is also an alert of an irregular rhythm. The heart rate of a recording is a value at its start.',
      'There are no blood pressures: the API has none.',
    ],
  },
}
