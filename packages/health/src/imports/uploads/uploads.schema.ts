import { DateTime, Nullable, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

/** Version of the protocol https://tus.io/protocols/resumable-upload, which all requests name. */
export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = 'creation,creation-with-upload,termination,expiration'
/** Media type of bytes that continue an upload. */
export const UPLOAD_TYPE = 'application/offset+octet-stream'

export const ImportUpload = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    length: Type.Integer({ description: 'Number of bytes of the file.' }),
    offset: Type.Integer({
      description: 'Number of bytes that are stored. The upload continues there.',
    }),
    metadata: Nullable(
      Type.String({ description: '`Upload-Metadata` of the creation, unchanged.' }),
    ),
    created_at: DateTime,
    expires_at: Type.String({
      format: 'date-time',
      description: 'Time at which the upload is removed, unless it grows or is imported before.',
    }),
  },
  { title: 'ImportUpload' },
)
export type ImportUpload = Type.Static<typeof ImportUpload>

const TusResumable = Type.String({
  description: 'Version of the tus protocol: `1.0.0`. Other versions get 412.',
})

export const CreationHeaders = Type.Object({
  'tus-resumable': Type.Optional(TusResumable),
  'upload-length': Type.Integer({ minimum: 1, description: 'Number of bytes of the file.' }),
  'upload-metadata': Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'Keys and Base64 values, by the tus protocol. Salus returns them unchanged.',
    }),
  ),
})

export const AppendHeaders = Type.Object({
  'tus-resumable': Type.Optional(TusResumable),
  'upload-offset': Type.Integer({
    minimum: 0,
    description: 'Number of bytes that the server has, as it returned them.',
  }),
})

export const DeletionHeaders = Type.Object({ 'tus-resumable': Type.Optional(TusResumable) })
