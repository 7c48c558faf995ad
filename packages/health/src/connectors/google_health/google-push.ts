import { createHmac, createSign } from 'node:crypto'
import { HOUR_MS } from '@salus/contracts/time-units'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import { parseInstant } from '@salus/kernel/time/instants'
import type { Push, PushNotice, TimeRange, VendorApp } from '../connector.ts'
import { readJson, type Send, VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { SLUG, unexpected } from './google-pages.ts'
import { type Fields, fieldsOf, textOf } from './points.ts'

/**
 * Data types that the vendor pushes, and further collections that have their data. The other types
 * are polled.
 */
const COLLECTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  steps: ['steps', 'activity'],
  distance: ['distance', 'activity'],
  floors: ['floors', 'activity'],
  'activity-level': ['activity'],
  'total-calories': ['active-energy-burned', 'activity'],
  'heart-rate': ['heart-rate', 'activity'],
  'daily-resting-heart-rate': ['activity'],
  'heart-rate-variability': ['heart-rate-variability'],
  'daily-heart-rate-variability': ['daily-heart-rate-variability', 'sleep'],
  'daily-oxygen-saturation': ['daily-oxygen-saturation', 'oxygen-saturation'],
  'respiratory-rate-sleep-summary': ['respiratory-rate-sleep-summary', 'sleep'],
  'daily-respiratory-rate': ['daily-respiratory-rate'],
  'daily-sleep-temperature-derivations': ['sleep'],
  'run-vo2-max': ['run-vo2-max'],
  'blood-glucose': ['blood-glucose'],
  weight: ['weight'],
  'body-fat': ['body-fat'],
  height: ['height'],
  sleep: ['sleep'],
  exercise: ['exercise'],
  'hydration-log': ['hydration-log'],
  'nutrition-log': ['nutrition-log'],
}

/** Local times are within these hours of UTC. */
const [EARLIEST_MS, LATEST_MS] = [14 * HOUR_MS, 12 * HOUR_MS]

/** Secret of an app with which a project creates subscribers: the JSON key of a service account. */
export const SERVICE_ACCOUNT = 'service_account'
/** The value of the header by which the vendor proves itself, where it was entered by hand. */
export const AUTHORIZATION = 'webhook_authorization'

/** Returns the value of the header `Authorization` of messages; it needs no storage. */
function authorizationOf({ clientSecret, secrets }: VendorApp): string {
  const derived = createHmac('sha256', clientSecret).update('webhook authorization').digest('hex')
  return secrets?.[AUTHORIZATION] ?? `Bearer ${derived}`
}

function isFromVendor(headers: Readonly<Record<string, string | undefined>>, app: VendorApp) {
  return isEqualSecret(headers.authorization ?? '', authorizationOf(app))
}

export const GOOGLE_HEALTH_PUSH: Push = {
  acceptedStatus: 204,

  verify: ({ headers }, app) => isFromVendor(headers, app),

  answerHandshake({ method, headers, body }, app) {
    // The second request has no secret, and must be refused as any message without it.
    if (method !== 'POST' || !isVerification(body) || !isFromVendor(headers, app)) return undefined
    return { status: 200, body: '' }
  },

  read(body) {
    const entries = Array.isArray(body) ? body : [body]
    return entries.flatMap((entry) => {
      if (!isFields(entry) || !isFields(entry.data)) throw unexpected()
      return noticesOf(entry.data)
    })
  },

  subscribe,
}

function isVerification(body: Buffer): boolean {
  // Messages are long; only a short text can be the verification.
  if (body.length > 200) return false
  try {
    return fieldsOf(JSON.parse(body.toString('utf8'))).type === 'verification'
  } catch {
    return false
  }
}

/**
 * Returns the notices of a change. After a deletion its range is requested again, and what is no
 * longer there is removed.
 */
function noticesOf(data: Fields): PushNotice[] {
  const { healthUserId: accountId, dataType, intervals } = data
  if (typeof accountId !== 'string' || typeof dataType !== 'string') throw unexpected()
  const collections = Object.hasOwn(COLLECTIONS_OF, dataType) ? COLLECTIONS_OF[dataType] : []
  // Some messages have their interval beside the type.
  const listed = Array.isArray(intervals) ? intervals : [data]
  const ranges = listed.flatMap((interval) => rangeOf(fieldsOf(interval)) ?? [])
  return (collections ?? []).flatMap((collection) =>
    (ranges.length === 0 ? [null] : ranges).map((range) => ({ accountId, collection, range })),
  )
}

function rangeOf(interval: Fields): TimeRange | undefined {
  const { physicalTimeInterval: physical, civilIso8601TimeInterval: civil } = interval
  const span = (times: unknown, before: number, after: number): TimeRange | undefined => {
    const { startTime, endTime } = fieldsOf(times)
    const from = parseInstant(textOf(startTime) ?? '')?.epochMilliseconds
    const to = parseInstant(textOf(endTime) ?? '')?.epochMilliseconds ?? from
    if (from === undefined || to === undefined || to < from) return undefined
    return { from: from - before, to: Math.max(to, from + 1) + after }
  }
  return span(physical, 0, 0) ?? span(civil, EARLIEST_MS, LATEST_MS)
}

/** The subscriber of Salus; a project has one. */
const SUBSCRIBER = 'salus'

/** Subscribes the project to all types, for every person who allows the app. */
async function subscribe(
  send: Send,
  app: VendorApp,
  callbackUrl: string,
  now: Date,
): Promise<undefined> {
  const account = serviceAccountOf(app)
  const authorization = `Bearer ${await projectTokenOf(send, account, now)}`
  const fetchJson = async (request: Parameters<Send>[0]) =>
    readJson(SLUG, await send({ ...request, headers: { authorization } }))
  const parent = `/v4/projects/${encodeURIComponent(account.project)}/subscribers`
  const { subscribers } = fieldsOf(await fetchJson({ path: parent }))
  const known = (Array.isArray(subscribers) ? subscribers : []).find((one) =>
    textOf(fieldsOf(one).name)?.endsWith(`/subscribers/${SUBSCRIBER}`),
  )
  const json = {
    endpointUri: callbackUrl,
    endpointAuthorization: { secret: authorizationOf(app) },
    subscriberConfigs: [
      { dataTypes: Object.keys(COLLECTIONS_OF), subscriptionCreatePolicy: 'AUTOMATIC' },
    ],
  }
  if (known === undefined) {
    const query = { subscriberId: SUBSCRIBER }
    await fetchJson({ method: 'POST', path: parent, query, json })
  } else if (fieldsOf(known).endpointUri !== callbackUrl || fieldsOf(known).state !== 'ACTIVE') {
    await fetchJson({ method: 'PATCH', path: `${parent}/${SUBSCRIBER}`, json })
  }
  return undefined
}

interface ServiceAccount {
  project: string
  email: string
  key: string
}

/** @throws VendorError `refused` without a service account: then the vendor is polled */
function serviceAccountOf({ secrets }: VendorApp): ServiceAccount {
  try {
    const account = fieldsOf(JSON.parse(secrets?.[SERVICE_ACCOUNT] ?? ''))
    const { project_id: project, client_email: email, private_key: key } = account
    if ([project, email, key].every((text) => textOf(text) !== null)) {
      return { project, email, key } as ServiceAccount
    }
  } catch {
    // Treated like an absent one.
  }
  throw new VendorError(SLUG, { kind: 'refused' })
}

/** Requests an access token of the project by a signed assertion (RFC 7523). */
async function projectTokenOf(
  send: Send,
  { email, key }: ServiceAccount,
  now: Date,
): Promise<string> {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const second = Math.floor(now.getTime() / 1000)
  const claims = {
    iss: email,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: 'https://oauth2.googleapis.com/token',
    iat: second,
    exp: second + 3600,
  }
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${text}.${signatureOf(text, key)}`,
  }
  const answer = readJson(SLUG, await send({ method: 'POST', host: 'oauth', path: '/token', form }))
  const token = textOf(fieldsOf(answer).access_token)
  if (token === null) throw unexpected()
  return token
}

function signatureOf(text: string, key: string): string {
  try {
    return createSign('RSA-SHA256').update(text).sign(key, 'base64url')
  } catch {
    throw new VendorError(SLUG, { kind: 'refused' })
  }
}
