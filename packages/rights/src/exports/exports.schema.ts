import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import Type from 'typebox'

/** Exports of all data of a user as a file (docs/contract/18-persons-rights.md#export). */

export const EXPORT_FORMATS = ['json', 'csv', 'parquet', 'fhir'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
const EXPORT_STATUSES = ['queued', 'running', 'completed', 'failed'] as const
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

export const LEAST_LINK_SECONDS = 60
export const MOST_LINK_SECONDS = 7 * DAY_SECONDS

export const PersonExport = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    format: TextEnum(EXPORT_FORMATS),
    status: TextEnum(EXPORT_STATUSES),
    rows_total: Type.Integer({
      minimum: 0,
      description: 'Number of rows of all tables; it is known once the export runs.',
    }),
    rows_written: Type.Integer({ minimum: 0, description: 'Number of rows that were written.' }),
    file_bytes: Nullable(Type.Integer({ minimum: 0 })),
    file_sha256: Nullable(
      Type.String({ description: 'SHA-256 of the archive as it is downloaded.' }),
    ),
    link_expires_at: Nullable(DateTime),
    created_at: DateTime,
    completed_at: Nullable(DateTime),
    expires_at: DateTime,
  },
  { title: 'PersonExport' },
)
export type PersonExport = Type.Static<typeof PersonExport>

export const PersonExportList = Type.Object(
  { data: Type.Array(PersonExport) },
  { title: 'PersonExportList' },
)

export const PersonExportCreate = Type.Object(
  {
    format: TextEnum(EXPORT_FORMATS, {
      description:
        'Format of the tables; with `fhir` the archive also contains a bundle of FHIR R4.',
    }),
  },
  { title: 'PersonExportCreate', additionalProperties: false },
)
export type PersonExportCreate = Type.Static<typeof PersonExportCreate>

export const ExportLinkCreate = Type.Object(
  {
    expires_in_seconds: Type.Integer({
      minimum: LEAST_LINK_SECONDS,
      maximum: MOST_LINK_SECONDS,
      default: 86_400,
      description:
        'Number of seconds for which the link is valid; it ends at the latest with the export.',
    }),
  },
  { title: 'ExportLinkCreate', additionalProperties: false },
)
export type ExportLinkCreate = Type.Static<typeof ExportLinkCreate>

export const ExportLink = Type.Object(
  { url: Type.String(), expires_at: DateTime },
  { title: 'ExportLink' },
)
export type ExportLink = Type.Static<typeof ExportLink>
