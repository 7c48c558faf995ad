import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { CsvPreview } from '../formats/csv/csv-template.schema.ts'
import {
  ImportPreviewRequest,
  ImportTemplate,
  ImportTemplateData,
  ImportTemplateList,
} from './templates.schema.ts'
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  previewTable,
  updateTemplate,
} from './templates.service.ts'

const tags = ['Imports']
const PATH = '/v2/import/templates'
const ONE = `${PATH}/:template_id`
const params = Type.Object({ template_id: Uuid })

const EXAMPLE = {
  name: 'Export of the meter',
  template: {
    date_format: 'day_first',
    time_zone: 'Europe/Vienna',
    decimal: ',',
    start: { column: 'Date', time_column: 'Time' },
    values: [{ series: 'glucose', column: 'Glucose', unit: 'mmol/L', type: 'fingerprick' }],
  },
}

/** Routes of the templates by which a team reads tables of any program. */
export function registerTemplateRoutes(app: App): void {
  registerTemplateLists(app)
  registerPreview(app)

  app.get(
    ONE,
    {
      schema: {
        operationId: 'getImportTemplate',
        tags,
        summary: 'Get a template',
        description: 'Returns a template of the environment.',
        params,
        response: { 200: ImportTemplate },
      },
    },
    (request) => getTemplate(request.scope, request.params.template_id),
  )

  app.put(
    ONE,
    {
      schema: {
        operationId: 'updateImportTemplate',
        tags,
        summary: 'Replace a template',
        description: 'Replaces name and content of a template. Imports that wait use the new one.',
        params,
        body: ImportTemplateData,
        'x-body-example': { ...EXAMPLE, name: 'Export of the new meter' },
        response: { 200: ImportTemplate },
      },
    },
    (request) => updateTemplate(request.scope, request.params.template_id, request.body),
  )

  app.delete(
    ONE,
    {
      schema: {
        operationId: 'deleteImportTemplate',
        tags,
        summary: 'Delete a template',
        description: 'Deletes a template. Imports that need it and have not begun fail.',
        params,
        response: { 200: Success },
      },
    },
    (request) => deleteTemplate(request.scope, request.params.template_id),
  )
}

function registerTemplateLists(app: App): void {
  app.post(
    PATH,
    {
      schema: {
        operationId: 'createImportTemplate',
        tags,
        summary: 'Create a template',
        description:
          'Creates a template by which tables (CSV) are imported: it names the columns of times and values, and their units.',
        body: ImportTemplateData,
        'x-body-example': EXAMPLE,
        response: { 200: ImportTemplate },
      },
    },
    (request) => createTemplate(request.scope, request.body),
  )

  app.get(
    PATH,
    {
      schema: {
        operationId: 'listImportTemplates',
        tags,
        summary: 'List the templates',
        description: 'Returns the templates of the environment by name; there are at most 500.',
        response: { 200: ImportTemplateList },
      },
    },
    (request) => listTemplates(request.scope),
  )
}

function registerPreview(app: App): void {
  app.post(
    '/v2/import/preview',
    {
      schema: {
        operationId: 'previewTable',
        tags,
        summary: 'Preview a table',
        description:
          'Shows the beginning of a table: delimiter, columns with what they may be, and the first rows. With a template it shows what each row becomes. Nothing is stored, and suggestions are never applied.',
        body: ImportPreviewRequest,
        'x-body-example': {
          content: 'Date;Time;Glucose\n31.03.2026;07:05;5,6\n',
          template: EXAMPLE.template,
        },
        response: { 200: CsvPreview },
      },
    },
    (request) => previewTable(request.scope, request.body),
  )
}
