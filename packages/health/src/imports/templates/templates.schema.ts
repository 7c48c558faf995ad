import { DateTime, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { CsvTemplate } from '../formats/csv/csv-template.schema.ts'

/** What a client sends to create or replace a template. */
export const ImportTemplateData = Type.Object(
  {
    name: Type.String({
      ...{ minLength: 1, maxLength: 100 },
      description: 'Name, which no other template of the environment has.',
    }),
    template: CsvTemplate,
  },
  { title: 'ImportTemplateData' },
)
export type ImportTemplateData = Type.Static<typeof ImportTemplateData>

export const ImportTemplate = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    template: CsvTemplate,
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'ImportTemplate' },
)
export type ImportTemplate = Type.Static<typeof ImportTemplate>

export const ImportTemplateList = Type.Object(
  { templates: Type.Array(ImportTemplate) },
  { title: 'ImportTemplateList' },
)

export const ImportPreviewRequest = Type.Object(
  {
    content: Type.String({
      ...{ minLength: 1, maxLength: 400_000 },
      description: 'Beginning of the table as text. The last row may be cut.',
    }),
    template: Type.Optional(CsvTemplate),
    template_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Id of a stored template, in place of `template`.',
      }),
    ),
    time_zone: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 64 },
        description: 'IANA zone of local times, or `floating`, where the template names none.',
      }),
    ),
  },
  { title: 'ImportPreviewRequest' },
)
export type ImportPreviewRequest = Type.Static<typeof ImportPreviewRequest>
