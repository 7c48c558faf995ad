import type { Collection, Connector } from '../connector.ts'
import { mapGraph } from './libreview.mapper.ts'
import {
  APP_SETTINGS,
  failureOf,
  HOSTS,
  LIBREVIEW_SIGN_IN,
  requestHeaders,
  SLUG,
} from './libreview-sign-in.ts'

const connection = (patientId = '', list: 'graph' | 'logbook') =>
  `/llu/connections/${encodeURIComponent(patientId)}/${list}`

/** The vendor accepts no range: each answer has all that it shows. */
const GRAPH: Collection = {
  name: 'graph',
  resources: ['glucose'],
  history: 'newest_first',
  mostDaysAtOnce: 14,
  overlapHours: 24,
  page: (_range, _cursor, { extra }) => ({ path: connection(extra.patientId, 'graph') }),
  details: (_answer, { context }) => [
    { path: connection(context.extra.patientId, 'logbook'), isOptional: true },
  ],
  next: () => null,
  map: mapGraph,
}

/**
 * LibreLinkUp, the app of people with whom a wearer of a sensor shares, as public clients use it:
 * the vendor publishes no documentation.
 */
export const ABBOTT_LIBREVIEW: Connector = {
  slug: SLUG,
  hosts: HOSTS,
  auth: LIBREVIEW_SIGN_IN,
  appSettings: APP_SETTINGS,
  collections: [GRAPH],
  // The vendor names none. It is reported to refuse an address that asks for a hundred people.
  budgets: [
    { per: 'credential', requests: 20, seconds: 60 },
    { per: 'address', requests: 60, seconds: 60 },
  ],
  guide: {
    verification: 'emulator_only',
    documentation: null,
    timeZones:
      'Each value has its time in UTC and that of the clock of the phone; the difference is the offset.',
    limits:
      'The vendor publishes none. Salus sends at most 20 requests a minute for a user, and 60 for all users of a deployment.',
    registration: [],
    notes: [
      'The interface is that of the app LibreLinkUp: the account must be one with which the wearer of the sensor shares, such as a second account of the same person. A session reads one person: the account itself where it follows itself, otherwise the first one.',
      'The vendor shows automatic values of the last 12 hours, and scans and alarms of the last two weeks. Automatic values of a longer interruption are lost. The export of LibreView as a file has everything, also insulin, carbohydrates and notes.',
      'The vendor raises the least version of its app about twice a year; then set a later `version` under `settings` of `abbott_libreview` in `SALUS_PROVIDER_APPS`.',
      'Codes are those of the website of LibreView, which shares its tickets; no public client is known that needed one.',
      'The terms of the vendor do not allow access by others, and its checks for bots may refuse a server.',
    ],
  },
  authorize: (request, { accessToken, extra = {} }, app) => ({
    ...request,
    host: extra.host ?? 'api',
    headers: app ? requestHeaders(app, accessToken, extra.accountHash) : {},
  }),
  failureOf,
}
