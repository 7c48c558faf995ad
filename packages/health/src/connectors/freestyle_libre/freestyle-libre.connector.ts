import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { Collection, Connector, SignInOutcome, VendorApp, VendorTokens } from '../connector.ts'
import { readJson, type Send, VendorError, type VendorFailure } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import {
  mapCarbohydrates,
  mapGlucose,
  mapInsulin,
  mapNotes,
  SLUG,
} from './freestyle-libre.mapper.ts'

/** Placeholder that is replaced from the tokens. */
const PATIENT = '{patientId}'

const list = (codes: string): string[] => codes.split(' ')

/** docs/contract/04-providers.md#regions */
const REGIONS = {
  us: { default: 'us', served: list('ca hk in kr ph sg tw us') },
  eu: {
    default: 'gb',
    served: list(
      'de fr br ar cl co mx gb ie au nz nl at be bh ch cz dk eg es fi gr hr il it jo kw lb lu no om pl pt qa sa se si sk tr za in sg hk kr ph tw',
    ),
  },
}

function defineCollection(name: string, resource: string, map: Collection['map']): Collection {
  return {
    name,
    resources: [resource],
    history: 'by_range',
    mostDaysAtOnce: 30,
    // Sensors are read late, and the time of a record may be in any zone.
    overlapHours: 48,
    page: ({ from, to }, cursor) => ({
      path: `/v1/patients/${PATIENT}/${name}`,
      query: {
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        limit: '1000',
        cursor: cursor ?? undefined,
      },
    }),
    next: (answer) =>
      isFields(answer) && typeof answer.next_cursor === 'string'
        ? answer.next_cursor || null
        : null,
    map,
  }
}

function errorCode(answer: OutboundAnswer): unknown {
  try {
    const body = answer.json()
    return isFields(body) && isFields(body.error) ? body.error.code : undefined
  } catch {
    return undefined
  }
}

/** Opens a session of the practice. */
async function openSession(send: Send, app: VendorApp, patientId: string): Promise<VendorTokens> {
  const json = { client_id: app.clientId, client_secret: app.clientSecret }
  const answer = await send({ method: 'POST', path: '/v1/sessions', json })
  // The credentials of the app are wrong, not the token.
  if (answer.status === 401) throw new VendorError(SLUG, { kind: 'unexpected', status: 401 })
  const session = readJson(SLUG, answer)
  const { session_token: token, expires_at: expiresAt } = isFields(session) ? session : {}
  if (typeof token !== 'string') throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  const expires = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN
  return {
    accessToken: token,
    refreshToken: null,
    expiresAt: Number.isNaN(expires) ? null : expires,
    extra: { patientId },
  }
}

async function invitePatient(
  send: Send,
  { email, region, app }: { email: string; region: string; app: VendorApp },
): Promise<SignInOutcome> {
  const session = await openSession(send, app, '')
  const answer = await send({
    method: 'POST',
    path: '/v1/invitations',
    headers: { authorization: `Bearer ${session.accessToken}` },
    json: { email, region },
  })
  const code = errorCode(answer)
  if (code === 'unsupported_region') return { state: 'refused', reason: 'unsupported_region' }
  if (code === 'account_not_found') return { state: 'refused', reason: 'wrong_credential' }
  const body = readJson(SLUG, answer)
  const { invitation, patient } = isFields(body) ? body : {}
  const status = isFields(invitation) ? invitation.status : undefined
  // The answer does not reveal whether the user has yet to answer or declined.
  if (status === 'declined' || status === 'pending') {
    return { state: 'refused', reason: 'wrong_credential' }
  }
  const patientId = isFields(patient) ? patient.id : undefined
  if (status !== 'accepted' || typeof patientId !== 'string') {
    throw new VendorError(SLUG, { kind: 'unexpected', status: answer.status })
  }
  return {
    state: 'signed_in',
    accountId: patientId,
    tokens: { ...session, extra: { patientId } },
  }
}

function failureOf(answer: OutboundAnswer): VendorFailure | undefined {
  if (answer.status !== 403 && answer.status !== 404) return undefined
  const code = errorCode(answer)
  if (code === 'no_consent') return { kind: 'ended', errorType: 'deregistered_per_provider' }
  return code === 'patient_not_found' ? { kind: 'ended', errorType: 'user_not_found' } : undefined
}

/**
 * A practice that sees the data of users who accepted its invitation. The vendor publishes no
 * interface for that; this one is that of the emulator of sandboxes (docs/sandbox.md).
 */
export const FREESTYLE_LIBRE: Connector = {
  slug: SLUG,
  hosts: { api: 'https://api.libreview.io' },
  auth: {
    kind: 'email',
    regions: REGIONS,
    invite: invitePatient,
    renew: (send, { extra = {} }, app) => openSession(send, app, extra.patientId ?? ''),
  },
  collections: [
    defineCollection('glucose', 'glucose', mapGlucose),
    defineCollection('insulin', 'insulin_injection', mapInsulin),
    defineCollection('carbohydrates', 'carbohydrates', mapCarbohydrates),
    defineCollection('notes', 'note', mapNotes),
  ],
  budgets: [{ per: 'app', requests: 600, seconds: 60, isAssumed: true }],
  guide: {
    verification: 'emulator_only',
    sandboxOnly:
      'Abbott has no public API of practices: they read data of patients on the website of LibreView, or by a contract. abbott_libreview connects an account with which the wearer of a sensor shares.',
    documentation: null,
    timeZones: 'Times are stored as local time, as if it were UTC.',
    limits: 'The vendor publishes none. Salus sends at most 600 requests a minute for a practice.',
    registration: [],
    notes: [
      'The interface is that of the emulator: no public client of practices is known.',
      'The export of LibreView as a file has glucose, insulin, carbohydrates and notes.',
    ],
  },
  authorize: (request, { accessToken, extra = {} }) => ({
    ...request,
    path: request.path.replace(PATIENT, encodeURIComponent(extra.patientId ?? '')),
    headers: { ...request.headers, authorization: `Bearer ${accessToken}` },
  }),
  failureOf,
}
