import type { Collection, Connector } from '../connector.ts'
import { isFields } from '../vendor-records.ts'
import { mapGraph, mapLogbook, mapMeasurements } from './libreview.mapper.ts'
import { HOSTS, LIBREVIEW_SIGN_IN, SLUG, ticketHeaders } from './libreview-sign-in.ts'

/** Placeholder that is replaced from the tokens. */
const PATIENT = '{patientId}'

/** Present state only: the vendor accepts no range. */
const LATEST = { history: 'none', mostDaysAtOnce: 1, overlapHours: 0, next: () => null } as const

const COLLECTIONS: readonly Collection[] = [
  {
    name: 'measurements',
    resources: ['glucose', 'insulin_injection', 'carbohydrates', 'note'],
    history: 'by_range',
    mostDaysAtOnce: 30,
    // Sensors are read late, and the time of a record may be in any zone.
    overlapHours: 48,
    page: ({ from, to }, cursor) => ({
      path: `/patients/${PATIENT}/measurements`,
      query: {
        from: String(Math.floor(from / 1000)),
        to: String(Math.ceil(to / 1000)),
        limit: '1000',
        cursor: cursor ?? undefined,
      },
    }),
    next(answer) {
      const data = isFields(answer) && isFields(answer.data) ? answer.data : {}
      return typeof data.next === 'string' ? data.next || null : null
    },
    map: mapMeasurements,
  },
  {
    name: 'graph',
    resources: ['glucose'],
    ...LATEST,
    page: () => ({ path: `/llu/connections/${PATIENT}/graph` }),
    map: mapGraph,
  },
  {
    name: 'logbook',
    resources: ['glucose'],
    ...LATEST,
    page: () => ({ path: `/llu/connections/${PATIENT}/logbook` }),
    map: mapLogbook,
  },
]

/**
 * LibreView and LibreLinkUp, as public descriptions document them: the vendor publishes no
 * documentation. `graph` and `logbook` are theirs; the paged history of `measurements` exists only
 * in the emulator of sandboxes (docs/sandbox.md).
 */
export const ABBOTT_LIBREVIEW: Connector = {
  slug: SLUG,
  hosts: HOSTS,
  auth: LIBREVIEW_SIGN_IN,
  collections: COLLECTIONS,
  // The vendor documents no limits. These are those of its own app.
  budgets: [{ per: 'credential', requests: 60, seconds: 60 }],
  guide: {
    verification: 'emulator_only',
    documentation: null,
    timeZones: 'The vendor sends local time without a zone. It is stored as if it were UTC.',
    limits: 'The vendor publishes none. Salus sends at most 60 requests a minute for a user.',
    registration: [],
    notes: ['The history of 90 days is known to the emulator only.'],
  },
  authorize: (request, { accessToken, extra = {} }) => ({
    ...request,
    host: extra.host ?? 'api',
    path: request.path.replace(PATIENT, encodeURIComponent(extra.patientId ?? '')),
    headers: { ...request.headers, ...ticketHeaders(accessToken, extra.accountHash) },
  }),
}
