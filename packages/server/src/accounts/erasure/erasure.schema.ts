import Type from 'typebox'
import { DateTime, Nullable, TextEnum, Uuid } from '../../platform/http/schema-types.ts'

/** Erasures and their receipts (docs/contract/18-persons-rights.md#erasure). */

const ERASURE_CAUSES = ['requested', 'deleted'] as const
export type ErasureCause = (typeof ERASURE_CAUSES)[number]
const ERASURE_STATUSES = ['scheduled', 'running', 'completed'] as const
export type ErasureStatus = (typeof ERASURE_STATUSES)[number]

const Counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description })

const REMOVED_AND_KEPT = {
  removed: Type.Object({
    postgresql: Counts('Rows by table.'),
    clickhouse: Counts('Rows by table.'),
    files: Counts('Files by kind.'),
  }),
  kept: Type.Array(Type.Object({ table: Type.String(), reason: Type.String() })),
  not_covered: Type.Array(Type.String()),
}

export const ErasureStatement = Type.Object(
  {
    type: TextEnum(['salus_erasure_receipt']),
    id: Uuid,
    environment_id: Uuid,
    user_id: Uuid,
    cause: TextEnum(ERASURE_CAUSES),
    requested_at: DateTime,
    started_at: DateTime,
    erased_at: DateTime,
    ...REMOVED_AND_KEPT,
  },
  { title: 'ErasureStatement' },
)
export type ErasureStatement = Type.Static<typeof ErasureStatement>

export const Erasure = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    cause: TextEnum(ERASURE_CAUSES),
    status: TextEnum(ERASURE_STATUSES),
    requested_at: DateTime,
    due_at: DateTime,
    started_at: Nullable(DateTime),
    completed_at: Nullable(DateTime),
    receipt: Nullable(Type.String()),
    statement: Nullable(ErasureStatement),
  },
  { title: 'Erasure' },
)
export type Erasure = Type.Static<typeof Erasure>

/** What an erasure would say that it removed. */
export const ErasureDryRun = Type.Object(REMOVED_AND_KEPT, { title: 'ErasureDryRun' })
export type ErasureDryRun = Type.Static<typeof ErasureDryRun>

export const ErasureList = Type.Object(
  { data: Type.Array(Erasure), next_cursor: Nullable(Type.String()) },
  { title: 'ErasureList' },
)

export const ErasureQuery = Type.Object({ next_cursor: Type.Optional(Type.String()) })

const ReceiptKey = Type.Object(
  {
    id: Uuid,
    algorithm: TextEnum(['Ed25519']),
    public_key: Type.String(),
    created_at: DateTime,
  },
  { title: 'ReceiptKey' },
)
export type ReceiptKey = Type.Static<typeof ReceiptKey>

export const ReceiptKeyList = Type.Object(
  { keys: Type.Array(ReceiptKey) },
  { title: 'ReceiptKeyList' },
)
