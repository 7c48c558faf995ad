import type { Collection, Connector, ScopeNeed } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import {
  authorize,
  failureOf,
  pagedByTime,
  SECRETS,
  SLUG,
  toStandardAnswer,
} from './ihealth-api.ts'
import {
  mapActivity,
  mapGlucoses,
  mapOxygen,
  mapPressures,
  mapSleep,
  mapWeights,
} from './records.mapper.ts'

const AUTHORIZATION = '/OpenApiV2/OAuthv2/userauthorization/'

const SCOPES = [
  ...['OpenApiBP', 'OpenApiBG', 'OpenApiWeight', 'OpenApiSpO2'],
  ...['OpenApiActivity', 'OpenApiSleep'],
]

const needOf = (scope: string): ScopeNeed => ({ required: [scope], optional: [] })

const COLLECTIONS: readonly Collection[] = [
  { name: 'bp', resources: ['blood_pressure'], ...pagedByTime('bp'), map: mapPressures },
  { name: 'glucose', resources: ['glucose'], ...pagedByTime('glucose'), map: mapGlucoses },
  { name: 'weight', resources: ['weight', 'body'], ...pagedByTime('weight'), map: mapWeights },
  { name: 'spo2', resources: ['blood_oxygen'], ...pagedByTime('spo2'), map: mapOxygen },
  { name: 'activity', resources: ['activity'], ...pagedByTime('activity'), map: mapActivity },
  { name: 'sleep', resources: ['sleep'], ...pagedByTime('sleep'), map: mapSleep },
]

/** iHealth OpenAPI version 2, as public clients of it describe it. */
export const IHEALTH: Connector = {
  slug: SLUG,
  hosts: {
    api: 'https://api.ihealthlabs.com:8443',
    // Pages for people and tokens have the same address.
    web: 'https://api.ihealthlabs.com:8443',
    auth: 'https://api.ihealthlabs.com:8443',
  },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'web', path: AUTHORIZATION },
    tokenEndpoint: { host: 'auth', path: AUTHORIZATION },
    parameters: {
      authorization: { APIName: SCOPES.join(' '), RequiredAPIName: SCOPES.join(' ') },
      refresh: (_app, tokens) => ({
        response_type: 'refresh_token',
        UserID: tokens?.extra?.UserID ?? '',
      }),
    },
    toStandardAnswer,
    keptTokenFields: ['UserID'],
    clientAuthentication: 'client_secret_post',
    usesPkce: false,
    regions: {
      us: {},
      eu: {
        api: 'https://openapi.ihealthlabs.eu',
        web: 'https://oauthuser.ihealthlabs.eu',
        auth: 'https://oauthuser.ihealthlabs.eu',
      },
    },
    scopes: SCOPES,
    async identify(_fetchJson, { extra }) {
      if (extra?.UserID) return extra.UserID
      throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    },
  },
  appSecrets: SECRETS,
  scopes: {
    blood_pressure: needOf('OpenApiBP'),
    glucose: needOf('OpenApiBG'),
    weight: needOf('OpenApiWeight'),
    body: needOf('OpenApiWeight'),
    blood_oxygen: needOf('OpenApiSpO2'),
    activity: needOf('OpenApiActivity'),
    sleep: needOf('OpenApiSleep'),
  },
  collections: COLLECTIONS,
  budgets: [{ per: 'app', requests: 5000, seconds: 3600 }],
  pollMinutes: 120,
  authorize,
  failureOf,
  guide: {
    verification: 'documented_schema',
    documentation: 'https://developer.ihealthlabs.com',
    timeZones: 'Records have the local clock and the offset of the place.',
    limits: 'An app may send 5,000 requests an hour.',
    registration: [
      'Ask for an application at https://developer.ihealthlabs.com, or https://developer.ihealthlabs.eu for accounts of Europe.',
      'Enter the redirect address that `salus providers check ihealth` prints.',
      'Put its client id and client secret under `ihealth` in `SALUS_PROVIDER_APPS`, and below `secrets` the SC of the project, the SV of each endpoint and the redirect address.',
    ],
    notes: [
      'Nothing newer than 2021 is known about the API, and whether the vendor accepts new apps is not known either.',
      'The vendor reports no deletions: a record that is deleted there stays.',
      'Heart rates, body fat as a series, workouts and notes are not among the resources of this provider.',
    ],
  },
}
