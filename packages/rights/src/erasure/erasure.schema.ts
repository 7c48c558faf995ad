import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

/** Erasures and their receipts (docs/contract/18-persons-rights.md#erasure). */

const ERASURE_CAUSES = ['requested', 'deleted'] as const
export type ErasureCause = (typeof ERASURE_CAUSES)[number]
const ERASURE_STATUSES = ['scheduled', 'running', 'completed'] as const
export type ErasureStatus = (typeof ERASURE_STATUSES)[number]

const Counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description })

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const REMOVED_AND_KEPT = {
  removed: Type.Object({
    postgresql: Counts('Numbers of rows by table.'),
    clickhouse: Counts('Numbers of rows by table.'),
    files: Counts('Numbers of files by kind.'),
  }),
  kept: Type.Array(Type.Object({ table: Type.String(), reason: Type.String() })),
  not_covered: Type.Array(Type.String()),
}

/** Search at the end of an erasure, and its findings. */
const ErasureSearch = Type.Object({
  searched: Type.Object(
    {
      postgresql_tables: Count('Number of tables of PostgreSQL, including the queue of jobs.'),
      clickhouse_tables: Count('Number of tables of ClickHouse.'),
      files: Count(
        'Number of files. Their names were searched, and also the content of files that no row owns.',
      ),
      ids: Count(
        'Number of ids that were searched for: those of the user and of their orders, appointments and jobs.',
      ),
      words: Count('Number of names, addresses, numbers and accounts that were searched for.'),
    },
    { description: 'Tables, files and terms of the search before the receipt was signed.' },
  ),
  remaining: Type.Array(
    Type.Object({
      store: TextEnum(['postgresql', 'clickhouse', 'files'], {
        description: 'Store in which it was found.',
      }),
      table: Type.String({ description: 'Table, or kind of file.' }),
      rows: Type.Integer({ minimum: 1, description: 'Number of rows or files.' }),
    }),
    {
      description:
        'Rows and files that contain an id or a term of the user and were not removed, because they are in no table of users: ' +
        'check them. They may be about another person of the same name.',
    },
  ),
  outdated: Type.Object(
    {
      clickhouse_outdated_parts: Count(
        'Number of data parts that were rewritten; ClickHouse removes the old files within minutes.',
      ),
      clickhouse_detached_parts: Count(
        'Number of data parts that were detached from their tables.',
      ),
    },
    {
      description:
        'Data parts of all users that no query of ClickHouse reached when the receipt was signed.',
    },
  ),
})
export type ErasureSearch = Type.Static<typeof ErasureSearch>

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
    // Only receipts of version 2 have it, with the findings of the search before them.
    version: Type.Optional(
      Type.Literal(2, {
        description: 'Version of the format of the receipt; receipts of version 1 lack the field.',
      }),
    ),
    searched: Type.Optional(ErasureSearch.properties.searched),
    remaining: Type.Optional(ErasureSearch.properties.remaining),
    outdated: Type.Optional(ErasureSearch.properties.outdated),
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

/** Data that an erasure would report as removed. */
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
