import { createHmac } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import type { Connector, Push } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { activityPath, mapActivities, requestsOf, SLUG } from './activities.mapper.ts'

const PAGE_SIZE = 25

const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/** Messages about activities that a bicycle computer has synchronized. */
const PUSH: Push = {
  verify({ headers, body }, { clientSecret, secrets }) {
    // The app of a sandbox has one secret for all.
    const secret = secrets?.webhook_secret ?? clientSecret
    const signature = headers['x-hmac-signature'] ?? ''
    const expected = createHmac('sha256', secret).update(body).digest()
    // Public clients accept both spellings.
    return (
      isEqualSecret(signature.toLowerCase(), expected.toString('hex')) ||
      isEqualSecret(signature, expected.toString('base64'))
    )
  },
  read(body) {
    const { activityId: id, userId: accountId } = isFields(body) ? body : {}
    if (typeof id !== 'string' || id === '') throw unexpected()
    if (typeof accountId !== 'string' && typeof accountId !== 'number') throw unexpected()
    const record = { id, isDeleted: false }
    return [{ accountId: String(accountId), collection: 'activities', range: null, record }]
  },
}

function nextPage(answer: unknown): string | null {
  const { currentPage, totalPages, data } = isFields(answer) ? answer : {}
  if (!Number.isSafeInteger(currentPage) || !Number.isSafeInteger(totalPages)) return null
  const isLast = Number(currentPage) >= Number(totalPages)
  return isLast || !Array.isArray(data) || data.length === 0
    ? null
    : String(Number(currentPage) + 1)
}

/** Hammerhead's API for Karoo, as public clients of it show. */
export const HAMMERHEAD: Connector = {
  slug: SLUG,
  hosts: { api: 'https://api.hammerhead.io' },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'api', path: '/v1/auth/oauth/authorize' },
    tokenEndpoint: { host: 'api', path: '/v1/auth/oauth/token' },
    revocationRequest: ({ accessToken }, { clientId, clientSecret }) => ({
      method: 'POST',
      path: '/v1/auth/oauth/deauthorize',
      form: { client_id: clientId, client_secret: clientSecret, token: accessToken },
    }),
    clientAuthentication: 'client_secret_post',
    usesPkce: false,
    scopes: ['activity:read'],
    keptTokenFields: ['user_id'],
    async identify(_fetchJson, { extra }) {
      if (extra?.user_id) return extra.user_id
      throw unexpected()
    },
  },
  appSecrets: {
    webhook_secret: {
      meaning: 'Webhook secret of the app, which signs its messages; by default the client secret.',
      isRequired: false,
    },
  },
  scopes: {
    workouts: { required: ['activity:read'], optional: [] },
    workout_stream: { required: ['activity:read'], optional: [] },
  },
  collections: [
    {
      name: 'activities',
      resources: ['workouts', 'workout_stream'],
      history: 'by_range',
      // A list has a first day and no last one, so that one range is better than many.
      mostDaysAtOnce: 3660,
      // A computer may be synchronized days later, and files are processed after that.
      overlapHours: 72,
      page: ({ from }, cursor) => ({
        path: '/v1/api/activities',
        query: {
          page: cursor ?? '1',
          perPage: String(PAGE_SIZE),
          // The day of the vendor may be that of the place.
          startDate: new Date(from - DAY_MS).toISOString().slice(0, 10),
        },
      }),
      next: (answer, _request) => nextPage(answer),
      details: (answer) => requestsOf(answer).requests,
      map: mapActivities,
      record: {
        request: (id) => ({ path: activityPath(id) }),
        toPage: (activity) => ({ data: [activity] }),
        remove: (id, data) => data.removeSummary('workouts', id),
      },
    },
  ],
  // The vendor names no limit.
  budgets: [{ per: 'app', requests: 300, seconds: 300, isAssumed: true }],
  pollMinutes: 60,
  push: PUSH,
  guide: {
    verification: 'emulator_only',
    documentation: 'https://www.hammerhead.io/pages/developer-platform',
    timeZones:
      'Files have the local time of the computer beside UTC, of which the offset is computed. Without it there is none.',
    limits: 'The vendor names none. Salus sends at most 300 requests in 5 minutes.',
    registration: [
      'Switch on the developer settings of a Hammerhead account, and create an app at https://www.hammerhead.io/pages/developer-platform.',
      'Enter the redirect address that `salus providers check hammerhead` prints.',
      'Enter the address of messages that it prints as the webhook address, and choose a webhook secret.',
      'Put client id, client secret and, in `secrets`, `webhook_secret` under `hammerhead` in `SALUS_PROVIDER_APPS`.',
    ],
    notes: [
      'The API was written after public clients that quote the documentation of the vendor; it was not checked against an account.',
      'Workouts and streams are read from the FIT file of an activity. One without a file is left out until the vendor has processed it.',
      'The vendor does not report deletions, and does not promise that each message comes.',
      'The former sign-in with a password was that of the app of the vendor; accounts have moved to SRAM ID.',
    ],
  },
  failureOf(answer) {
    // A file that is still being processed is one that is not there yet.
    if (answer.status !== 409 && answer.status !== 425) return undefined
    return { kind: 'unexpected', status: 404 }
  },
}
