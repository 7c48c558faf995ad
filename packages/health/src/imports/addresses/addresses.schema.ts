import { DateTime, Nullable, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const Label = Type.String({
  ...{ minLength: 1, maxLength: 100 },
  description: 'Name of the address for lists, such as the phone that uses it.',
})

export const ImportAddressCreate = Type.Object(
  { label: Type.Optional(Label) },
  { title: 'ImportAddressCreate' },
)

const FIELDS = {
  id: Uuid,
  user_id: Uuid,
  label: Type.String(),
  masked_value: Type.String({ description: 'Last characters of the address.' }),
  created_at: DateTime,
  last_used_at: Nullable(DateTime),
}

export const ImportAddress = Type.Object(FIELDS, { title: 'ImportAddress' })
export type ImportAddress = Type.Static<typeof ImportAddress>

export const NewImportAddress = Type.Object(
  {
    ...FIELDS,
    url: Type.String({
      description:
        'The address. Whoever knows it can send data of the user, so it is shown only here.',
    }),
  },
  { title: 'NewImportAddress' },
)
export type NewImportAddress = Type.Static<typeof NewImportAddress>

export const ImportAddressList = Type.Object(
  { addresses: Type.Array(ImportAddress) },
  { title: 'ImportAddressList' },
)

export const ImportPosting = Type.Object(
  {
    import_id: Type.String({ format: 'uuid', description: 'Id of the import job.' }),
    status: Type.String({ description: '`queued`: a worker imports the posting.' }),
  },
  { title: 'ImportPosting' },
)
