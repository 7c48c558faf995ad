import { Success } from '@salus/contracts/schema-types'
import type { AppError } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import { registerErrorBodies } from '@salus/kernel/http/error-handler'
import Type from 'typebox'
import { FHIR_TAGS, type FhirOptions, fhirBaseOf, SERVED_TYPES } from '../reading/index.ts'
import type { TokenGrants } from './grant-token.service.ts'
import {
  BySmartClient,
  InEnvironment,
  SmartClient,
  SmartClientCreate,
  SmartClientList,
} from './smart-clients.schema.ts'
import { createSmartClient, deleteSmartClient, listSmartClients } from './smart-clients.service.ts'

const CLIENTS = `${ENVIRONMENT_PATH}/smart_client`
const EXAMPLE_KEY = { kty: 'EC', crv: 'P-384', kid: 'key-1', use: 'sig', x: 'AQ', y: 'AQ' }

/** Registers the management of clients among the routes of managed environments. */
export function registerSmartClientRoutes(app: App): void {
  app.get(
    CLIENTS,
    {
      schema: {
        operationId: 'listSmartClients',
        tags: FHIR_TAGS,
        summary: 'List the SMART clients of an environment',
        description: 'Returns the programs that may sign in to the FHIR interface.',
        params: InEnvironment,
        response: { 200: SmartClientList },
      },
    },
    ({ scope }) => listSmartClients(scope),
  )
  app.post(
    CLIENTS,
    {
      schema: {
        operationId: 'createSmartClient',
        tags: FHIR_TAGS,
        summary: 'Register a SMART client',
        description:
          'Registers a program with its public keys, or the address at which it publishes them.',
        params: InEnvironment,
        body: SmartClientCreate,
        'x-body-example': {
          label: 'Records system',
          jwks: { keys: [EXAMPLE_KEY] },
          scopes: ['system/*.rs'],
        },
        response: { 200: SmartClient },
      },
    },
    ({ scope, body }) => createSmartClient(scope, body),
  )
  app.delete(
    `${CLIENTS}/:client_id`,
    {
      schema: {
        operationId: 'deleteSmartClient',
        tags: FHIR_TAGS,
        summary: 'Delete a SMART client',
        description: 'Deletes the client, and ends its tokens at once.',
        params: BySmartClient,
        response: { 200: Success },
      },
    },
    async ({ scope, params }) => {
      await deleteSmartClient(scope, params.client_id)
      return { success: true }
    },
  )
}

const JSON_TYPE = 'application/json; charset=utf-8'

const Token = Type.Object(
  {
    access_token: Type.String({ description: 'Token for the header Authorization.' }),
    token_type: Type.String({ description: 'Type of the token: bearer.' }),
    expires_in: Type.Integer({ description: 'Number of seconds for which it is valid.' }),
    scope: Type.String({ description: 'Granted scopes.' }),
  },
  { title: 'SmartToken' },
)

/** Registers the token endpoint, whose errors have the form of OAuth 2.0, and its description. */
export function registerTokenRoutes(
  app: App,
  options: Pick<FhirOptions, 'config'>,
  grants: TokenGrants,
): void {
  registerErrorBodies(app, { type: JSON_TYPE, bodyOf: toOAuthError })
  app.post(
    '/auth/token',
    {
      config: { checksQuery: true },
      schema: {
        operationId: 'createSmartToken',
        tags: FHIR_TAGS,
        summary: 'Get an access token for a SMART client',
        description:
          'Grants a token to a client that proves its identity with a signed JWT (SMART Backend Services).',
        security: [],
        'x-file-types': ['application/x-www-form-urlencoded'],
        response: { 200: Token },
      },
    },
    async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const granted = await grants.grant(form, `${fhirBaseOf(request, options)}/auth/token`)
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
      return granted
    },
  )
  app.get(
    '/.well-known/smart-configuration',
    {
      config: { checksQuery: true },
      schema: {
        operationId: 'getSmartConfiguration',
        tags: FHIR_TAGS,
        summary: 'Get the SMART configuration',
        description: 'Returns how programs sign in to the FHIR interface.',
        security: [],
        response: { 200: SmartConfiguration },
      },
    },
    (request) => toConfiguration(fhirBaseOf(request, options)),
  )
}

const Texts = (description: string) => Type.Array(Type.String(), { description })

const SmartConfiguration = Type.Object(
  {
    token_endpoint: Type.String({ description: 'Address that grants tokens.' }),
    token_endpoint_auth_methods_supported: Texts('Ways to prove the identity of a client.'),
    token_endpoint_auth_signing_alg_values_supported: Texts('Algorithms of signatures.'),
    grant_types_supported: Texts('Grant types.'),
    scopes_supported: Texts('Scopes.'),
    capabilities: Texts('Parts of SMART that are supported.'),
  },
  { title: 'SmartConfiguration' },
)

const toConfiguration = (base: string): Type.Static<typeof SmartConfiguration> => ({
  token_endpoint: `${base}/auth/token`,
  token_endpoint_auth_methods_supported: ['private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: ['RS384', 'ES384'],
  grant_types_supported: ['client_credentials'],
  scopes_supported: ['system/*.rs', ...SERVED_TYPES.map((type) => `system/${type}.rs`)],
  capabilities: ['client-confidential-asymmetric', 'permission-v1', 'permission-v2'],
})

/** RFC 6749, section 5.2. */
function toOAuthError({ errorType, message, extra }: AppError): object {
  const error = typeof extra.error === 'string' ? extra.error : 'invalid_request'
  return { error, error_description: message, error_type: errorType }
}
