import { DateTime, Nullable, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENT_PARAMS } from '@salus/kernel/http/environment-path'
import Type from 'typebox'

/** Clients of SMART Backend Services (docs/contract/19-fhir.md#smart-backend-services). */

const Jwks = Type.Object(
  {
    keys: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      minItems: 1,
      maxItems: 20,
      description: 'Public keys, each as a JSON Web Key.',
    }),
  },
  { title: 'JsonWebKeySet' },
)
export type Jwks = Type.Static<typeof Jwks>

export const SmartClientCreate = Type.Object(
  {
    label: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the client.' }),
    jwks: Type.Optional(Nullable(Jwks)),
    jwks_url: Type.Optional(
      Nullable(
        Type.String({ maxLength: 2000, description: 'Address at which the client has its keys.' }),
      ),
    ),
    scopes: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Scopes that the client may ask for.',
    }),
  },
  { title: 'SmartClientCreate', additionalProperties: false },
)
export type SmartClientCreate = Type.Static<typeof SmartClientCreate>

export const SmartClient = Type.Object(
  {
    id: Uuid,
    label: Type.String({ description: 'Name of the client.' }),
    jwks: Nullable(Jwks),
    jwks_url: Nullable(Type.String({ description: 'Address at which the client has its keys.' })),
    scopes: Type.Array(Type.String(), { description: 'Scopes that the client may ask for.' }),
    created_at: DateTime,
  },
  { title: 'SmartClient' },
)
export type SmartClient = Type.Static<typeof SmartClient>

export const SmartClientList = Type.Object(
  { data: Type.Array(SmartClient) },
  { title: 'SmartClientList' },
)

export const InEnvironment = Type.Object(ENVIRONMENT_PARAMS)
export const BySmartClient = Type.Object({ ...ENVIRONMENT_PARAMS, client_id: Uuid })
