import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { OAuthProvider } from '../link.schema.ts'

/** Maximum number of users in one operation. */
const MOST_PEOPLE = 1000
const Text = Type.String({ minLength: 1, maxLength: 10_000 })

export const ConnectionRecipe = Type.Object(
  {
    user_id: Uuid,
    access_token: Text,
    refresh_token: Type.String({ maxLength: 10_000 }),
    provider_id: Type.String({ minLength: 1, maxLength: 255 }),
    expires_at: Type.Integer({
      minimum: 0,
      maximum: 253_402_300_799,
      description:
        'Expiry of the access token in Unix seconds. For OAuth 1.0a send 2147483647, and the token secret as `refresh_token`.',
    }),
    oauth_scopes: Type.Optional(
      Nullable(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })),
    ),
  },
  { title: 'ConnectionRecipe' },
)
export type ConnectionRecipe = Type.Static<typeof ConnectionRecipe>

const Wait = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Waits for the operation to end, at most 20 seconds.',
  }),
)
const UserIds = Type.Array(Uuid, { minItems: 1, maxItems: MOST_PEOPLE })

export const BulkImport = Type.Object(
  {
    provider: OAuthProvider,
    connections: Type.Array(ConnectionRecipe, { minItems: 1, maxItems: MOST_PEOPLE }),
    wait_for_completion: Wait,
  },
  { title: 'BulkImport' },
)
export type BulkImport = Type.Static<typeof BulkImport>

export const BulkImportResult = Type.Object(
  { user_ids_imported: Type.Array(Uuid), user_ids_failed: Type.Array(Uuid) },
  {
    title: 'BulkImportResult',
    description:
      'Users by outcome. Both lists are empty when the request did not wait for the operation.',
  },
)
export type BulkImportResult = Type.Static<typeof BulkImportResult>

export const BulkExport = Type.Object(
  {
    provider: OAuthProvider,
    user_ids: Type.Optional(Nullable(UserIds)),
    next_token: Type.Optional(Nullable(Type.String())),
  },
  { title: 'BulkExport' },
)
export type BulkExport = Type.Static<typeof BulkExport>

export const BulkExportPage = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        { ...ConnectionRecipe.properties, oauth_scopes: Nullable(Type.Array(Type.String())) },
        { title: 'ExportedConnection' },
      ),
    ),
    next_token: Nullable(Type.String()),
  },
  { title: 'BulkExportPage' },
)
export type BulkExportPage = Type.Static<typeof BulkExportPage>

export const BulkPause = Type.Object(
  { provider: OAuthProvider, user_ids: UserIds },
  { title: 'BulkPause' },
)
export type BulkPause = Type.Static<typeof BulkPause>

export const BulkTrigger = Type.Object(
  { provider: OAuthProvider, user_ids: UserIds, wait_for_completion: Wait },
  { title: 'BulkHistoricalTrigger' },
)
export type BulkTrigger = Type.Static<typeof BulkTrigger>

export const Nothing = Type.Object({})

export const BULK_OPERATION_TYPES = ['link_bulk_import', 'link_bulk_historical_trigger'] as const
export type BulkOperationType = (typeof BULK_OPERATION_TYPES)[number]

export const BULK_OPERATION_STATUSES = ['in_progress', 'success', 'failure', 'aborted'] as const
export type BulkOperationStatus = (typeof BULK_OPERATION_STATUSES)[number]

export const BulkOperationQuery = Type.Object({
  next_cursor: Type.Optional(Nullable(Type.String())),
  page_size: Type.Optional(Type.Integer({ minimum: 0, maximum: 50, default: 10 })),
})
export type BulkOperationQuery = Type.Static<typeof BulkOperationQuery>

export const BulkOperation = Type.Object(
  {
    type: TextEnum(BULK_OPERATION_TYPES),
    status: TextEnum(BULK_OPERATION_STATUSES),
    provider: Type.String(),
    pending: Type.Integer(),
    processed: Type.Integer({ description: 'Number of processed users, failed ones included.' }),
    failed: Type.Integer(),
    started_at: DateTime,
    ended_at: Nullable(DateTime),
  },
  { title: 'BulkOperation' },
)
export type BulkOperation = Type.Static<typeof BulkOperation>

export const BulkOperations = Type.Object(
  { data: Type.Array(BulkOperation), next_cursor: Nullable(Type.String()) },
  { title: 'BulkOperations' },
)
export type BulkOperations = Type.Static<typeof BulkOperations>
