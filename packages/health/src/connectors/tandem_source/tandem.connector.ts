import type { Connector } from '../connector.ts'
import { mapPumps } from './tandem.mapper.ts'
import { eventRequestsOf, PUMPER, pumpsRequest, SLUG } from './tandem-pages.ts'
import { REGIONS, regionOf, TANDEM_SIGN_IN } from './tandem-sign-in.ts'

/** Tandem Source, as public clients of it show. */
export const TANDEM_SOURCE: Connector = {
  slug: SLUG,
  hosts: REGIONS.us,
  auth: TANDEM_SIGN_IN,
  appSettings: {
    client_id_us: {
      meaning: "Client id of the vendor's website.",
      default: '0oa27ho9tpZE9Arjy4h7',
    },
    client_id_eu: {
      meaning: 'The same for Europe.',
      default: '1519e414-eeec-492e-8c5e-97bea4815a10',
    },
  },
  collections: [
    {
      name: 'events',
      resources: ['insulin_injection', 'glucose', 'carbohydrates'],
      history: 'by_range',
      // A request has at most 28 days, and each some days more than its range.
      mostDaysAtOnce: 24,
      // Some pumps are uploaded by a cable, weeks after the events.
      overlapHours: 336,
      page: () => pumpsRequest(),
      next: () => null,
      details: (answer, request) => eventRequestsOf(answer, request).map((one) => one.request),
      map: mapPumps,
    },
  ],
  budgets: [
    { per: 'credential', requests: 60, seconds: 3600 },
    { per: 'address', requests: 300, seconds: 60 },
  ],
  // Phones upload about once an hour.
  pollMinutes: 60,
  authorize(request, { accessToken, extra }) {
    const pumperId = extra?.pumperId ?? ''
    const { pumperId: wanted } = request.query ?? {}
    // The service refuses requests that do not seem to come from its website.
    const { api: origin } = REGIONS[regionOf(extra?.region)]
    return {
      ...request,
      path: request.path.replace(PUMPER, encodeURIComponent(pumperId)),
      query: { ...request.query, ...(wanted === PUMPER && { pumperId }) },
      headers: {
        ...request.headers,
        authorization: `Bearer ${accessToken}`,
        origin,
        referer: `${origin}/`,
      },
    }
  },
  guide: {
    verification: 'recorded_payloads',
    documentation: null,
    timeZones:
      'Pumps record the time of their own clock, without a zone. It is stored as if it were UTC, without an offset.',
    limits: 'The vendor names none. Salus sends at most 60 requests an hour for a person.',
    registration: [],
    notes: [
      'The API is that of the website. Events were checked against those that public clients recorded in 2026; the sign-in was not checked against an account. The vendor offers no API, and can end this way at any time.',
      'The vendor replaced its former API, which sent events as bytes, in June 2026.',
      'Data arrive after the phone or a cable has uploaded them: therapy must not depend on them.',
      'Insulin of a basal rate is counted from one report to the next, and not over a gap of more than an hour.',
      'A bolus that newer pumps report twice is counted once.',
    ],
  },
}
