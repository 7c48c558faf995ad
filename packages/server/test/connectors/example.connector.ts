import type { Connector } from '../../../health/src/connectors/connector.ts'
import type { PageData } from '../../../health/src/connectors/page-data.ts'
import { VendorError } from '../../../health/src/connectors/vendor-client.ts'
import { isFields } from '../../../health/src/connectors/vendor-records.ts'

const SLUG = 'example'

const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/** `{"items": [{"id", "measured_at", "grams", "fat_percent"}], "next_page"}` */
function mapWeights(answer: unknown, data: PageData): void {
  if (!isFields(answer) || !Array.isArray(answer.items)) throw unexpected()
  for (const record of answer.items) {
    const start = isFields(record) && data.instant('body_weight', record.measured_at, record)
    if (!start) continue
    const frame = { start, sourceType: 'scale' } as const
    const grams = record.grams as number
    data.addSample('body_weight', { ...frame, value: grams, unit: 'g' }, record)
    // Shoes keep a scale from measuring it.
    if (record.fat_percent === null) continue
    const percent = record.fat_percent as number
    data.addSample('body_fat', { ...frame, value: percent, unit: '%' }, record)
  }
}

/** Scales of a vendor that does not exist. */
export const EXAMPLE: Connector = {
  slug: SLUG,
  hosts: { api: 'https://api.scales.example' },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'api', path: '/oauth/authorize' },
    tokenEndpoint: { host: 'api', path: '/oauth/token' },
    clientAuthentication: 'client_secret_basic',
    usesPkce: true,
    scopes: ['profile', 'measurements'],
    async identify(fetchJson) {
      const person = await fetchJson({ path: '/v1/me' })
      if (isFields(person) && typeof person.id === 'string') return person.id
      throw unexpected()
    },
  },
  scopes: {
    weight: { required: ['measurements'], optional: [] },
    fat: { required: ['measurements'], optional: ['profile'] },
  },
  collections: [
    {
      name: 'weights',
      resources: ['weight', 'fat'],
      history: 'by_range',
      mostDaysAtOnce: 90,
      overlapHours: 24,
      page: ({ from, to }, cursor) => ({
        path: '/v1/weights',
        query: {
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          page: cursor ?? undefined,
        },
      }),
      next: (answer) =>
        isFields(answer) && typeof answer.next_page === 'string' ? answer.next_page : null,
      map: mapWeights,
    },
  ],
  budgets: [{ per: 'credential', requests: 100, seconds: 3600 }],
  guide: {
    verification: 'documented_schema',
    documentation: 'https://scales.example/docs',
    timeZones: 'Records have the offset of the place.',
    limits: 'A user may send 100 requests an hour.',
    registration: ['Create an app at https://scales.example/apps.'],
    notes: [],
  },
}
