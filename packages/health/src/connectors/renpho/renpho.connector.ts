import type { Connector } from '../connector.ts'
import { mapMeasurements } from './measurements.mapper.ts'
import { contentOf, encrypt, failureOfData, headersOf, SETTINGS, SLUG } from './renpho-envelope.ts'
import { ALL_MEASUREMENTS } from './renpho-pages.ts'
import { RENPHO_SIGN_IN } from './renpho-sign-in.ts'

/**
 * The cloud of the app RENPHO Health, as clients of 2025 and 2026 use it: the vendor publishes no
 * documentation of it.
 */
export const RENPHO: Connector = {
  slug: SLUG,
  hosts: { api: 'https://cloud.renpho.com' },
  auth: RENPHO_SIGN_IN,
  appSettings: SETTINGS,
  collections: [
    {
      name: 'measurements',
      resources: ['body', 'weight', 'fat'],
      ...ALL_MEASUREMENTS,
      decode: (bytes, { app }) => contentOf(bytes, app?.settings.encryption_key),
      map: mapMeasurements,
    },
  ],
  // The vendor publishes no limits.
  budgets: [{ per: 'credential', requests: 30, seconds: 60 }],
  // Each poll reads all pages, and a person weighs herself once a day.
  pollMinutes: 360,
  authorize: (request, { accessToken, extra }, app) => ({
    ...request,
    headers: {
      ...request.headers,
      ...headersOf(accessToken, extra?.userId ?? '', app?.settings.app_version),
    },
    json: encrypt(app?.settings.encryption_key, request.json),
  }),
  failureOf: (answer, of) => (of === 'data' ? failureOfData(answer) : undefined),
  guide: {
    verification: 'emulator_only',
    documentation: null,
    timeZones:
      'Instants are in UTC. The offset is that of the zone of the record, where it has one that can be read.',
    limits:
      'The vendor publishes none. Salus sends at most 30 requests a minute for a user, and looks for new data four times a day.',
    registration: [
      'Find the key by which the app RENPHO Health encrypts its requests: it is the same for all users, and public clients of the interface show it.',
      'Put it as `encryption_key` into `settings` of `renpho` in `SALUS_PROVIDER_APPS`. Without it people cannot be connected.',
    ],
    notes: [
      'This is the interface of the app, which the vendor does not offer to others and may change at any time.',
      'A sign-in ends the session in the app on the phone of the person: the scale uploads nothing until they sign in there again, which may in turn end the session of Salus. A second account of the family, with which the person shares their measurements, avoids this. Say so before you connect a person.',
      'Salus signs in only when the person does: it keeps no password, and when the session ends, so does the connection.',
      'Measurements of other members of the household are left out. A weight that was typed in when the account was made has the source type `app`.',
      'Muscles and bones are percentages of the weight. Heart rates, energy, protein and ages of the body have no place in the data; records are kept as raw data.',
      'What a person deletes in the app remains: an answer without records is not proof that there are none.',
    ],
  },
}
