import type { Collection, Connector, PasswordSignIn } from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import { failureOfStatus, readJson, VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { mapGlucose, mapPressures, mapWeighings, SLUG } from './measurements.mapper.ts'

const signIn: PasswordSignIn['signIn'] = async (send, { username, password }) => {
  const json = { email: username, password }
  const answer = await send({ method: 'POST', path: '/v1/sessions', json })
  if (answer.status === 401) return { state: 'refused', reason: 'wrong_credential' }
  const failure = failureOfStatus(answer)
  if (failure !== undefined) throw new VendorError(SLUG, failure)
  const session = readJson(SLUG, answer)
  const {
    session_token: token,
    expires_at: expiry,
    user_id: accountId,
  } = isFields(session) ? session : {}
  if (typeof token !== 'string' || typeof accountId !== 'string' || accountId === '') {
    throw new VendorError(SLUG, { kind: 'unexpected', status: answer.status })
  }
  const expiresAt = Date.parse(String(expiry))
  const tokens = {
    accessToken: token,
    refreshToken: null,
    expiresAt: Number.isNaN(expiresAt) ? null : expiresAt,
  }
  return { state: 'signed_in', tokens, accountId }
}

const SIGN_IN: PasswordSignIn = {
  kind: 'password',
  signIn,
  renew: async (send, _tokens, given, context) =>
    renewedTokens(SLUG, await signIn(send, given, context)),
}

/** Pages of measurements of one kind. */
const measurements = (
  kind: string,
): Pick<Collection, 'history' | 'mostDaysAtOnce' | 'overlapHours' | 'page' | 'next'> => ({
  history: 'by_range',
  mostDaysAtOnce: 90,
  // Meters upload when their phone is near.
  overlapHours: 168,
  page: ({ from, to }, cursor) => ({
    path: `/v1/measurements/${kind}`,
    query: {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      cursor: cursor ?? undefined,
    },
  }),
  next: (answer) =>
    isFields(answer) && typeof answer.next_cursor === 'string' ? answer.next_cursor || null : null,
})

/** Meters of Beurer. No public API of its cloud exists: this one is that of the emulator. */
export const BEURER_API: Connector = {
  slug: SLUG,
  hosts: { api: 'https://hmpro.connect.beurer.com' },
  auth: SIGN_IN,
  collections: [
    {
      name: 'blood_pressure',
      resources: ['blood_pressure'],
      ...measurements('blood_pressure'),
      map: mapPressures,
    },
    { name: 'glucose', resources: ['glucose'], ...measurements('glucose'), map: mapGlucose },
    {
      name: 'weight',
      resources: ['weight', 'fat', 'body'],
      ...measurements('weight'),
      map: mapWeighings,
    },
  ],
  budgets: [{ per: 'credential', requests: 60, seconds: 60 }],
  pollMinutes: 60,
  guide: {
    verification: 'emulator_only',
    sandboxOnly: 'Beurer publishes no API of its cloud. beurer_ble takes data of its meters.',
    documentation: null,
    timeZones: 'Measurements of the emulator have the offset of the place.',
    limits: 'Not known. Salus sends at most 60 requests a minute for a user.',
    registration: [],
    notes: ['The requests and the answers are those of the emulator.'],
  },
}
