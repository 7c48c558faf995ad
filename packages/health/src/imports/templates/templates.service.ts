import { badRequest, conflict, notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { ImportFileError } from '../files/import-file-error.ts'
import { previewCsv } from '../formats/csv/csv-preview.ts'
import type { CsvPreview, CsvTemplate } from '../formats/csv/csv-template.schema.ts'
import { problemOf } from '../formats/csv/csv-template.ts'
import type { ImportOptions } from '../import-options.ts'
import type { TemplateRow } from './templates.repository.ts'
import * as repository from './templates.repository.ts'
import type {
  ImportPreviewRequest,
  ImportTemplate,
  ImportTemplateData,
} from './templates.schema.ts'

const MOST_TEMPLATES = 500
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @throws AppError 400 for a template that cannot be applied, with the field */
function checkTemplate(template: CsvTemplate): void {
  const found = problemOf(template)
  if (found === undefined) return
  throw badRequest('invalid_template', 'The template cannot be applied.', { ...found })
}

const nameTaken = () => conflict('template_name_taken', 'Another template has this name.')

/** @throws AppError 400 for an invalid one or too many, 409 for a name that is taken */
export async function createTemplate(
  scope: Scope,
  { name, template }: ImportTemplateData,
): Promise<ImportTemplate> {
  checkTemplate(template)
  const now = scope.clock.now()
  const row = await scope.transaction(async (tx) => {
    if ((await repository.countTemplates(tx)) >= MOST_TEMPLATES) {
      throw badRequest('too_many_templates', 'The environment has the most templates allowed.')
    }
    const times = { created_at: now, updated_at: now }
    return repository.insertTemplate(tx, { id: newId(), name, template, ...times })
  })
  if (row === undefined) throw nameTaken()
  return toTemplate(row)
}

/** @throws AppError 404 for an unknown template, 400 and 409 as when it is created */
export async function updateTemplate(
  scope: Scope,
  id: string,
  { name, template }: ImportTemplateData,
): Promise<ImportTemplate> {
  checkTemplate(template)
  const row = await scope.transaction(async (tx) => {
    const other = await repository.lockTemplateByName(tx, name)
    if (other !== undefined && other.id !== id) {
      // Only the owner of the template learns about other names.
      if ((await repository.findTemplate(tx, id)) === undefined) return undefined
      throw nameTaken()
    }
    return repository.updateTemplate(tx, id, { name, template, updated_at: scope.clock.now() })
  })
  if (row === undefined) throw notFound('Template')
  return toTemplate(row)
}

export async function listTemplates(scope: Scope): Promise<{ templates: ImportTemplate[] }> {
  const rows = await repository.listTemplates(scope)
  return { templates: rows.map(toTemplate) }
}

/** @throws AppError 404 for an unknown template, and for one of another team */
export async function getTemplate(scope: Scope, id: string): Promise<ImportTemplate> {
  const row = await repository.findTemplate(scope, id)
  if (row === undefined) throw notFound('Template')
  return toTemplate(row)
}

/** @throws AppError 404 for an unknown template */
export async function deleteTemplate(scope: Scope, id: string): Promise<{ success: boolean }> {
  if (!(await repository.deleteTemplate(scope, id))) throw notFound('Template')
  return { success: true }
}

/** @throws AppError 400 for a template that does not exist in the environment */
export async function requireTemplate(scope: Scope, { template_id: id }: ImportOptions) {
  if (id === undefined) return
  const row = UUID.test(id) ? await repository.findTemplate(scope, id) : undefined
  if (row === undefined) throw badRequest('unknown_template', 'There is no template of this id.')
}

/**
 * Returns options with the template that they name.
 * @throws ImportFileError `missing_template` for one that was deleted meanwhile
 */
export async function withTemplate(scope: Scope, options: ImportOptions): Promise<ImportOptions> {
  const { template_id: id } = options
  if (id === undefined) return options
  const row = UUID.test(id) ? await repository.findTemplate(scope, id) : undefined
  if (row === undefined) throw new ImportFileError('missing_template')
  return { ...options, template: row.template }
}

/**
 * Shows the beginning of a table, and what its rows become by a template.
 * @throws AppError 400 for a template that cannot be applied and for text that is no table, 404 for
 *   an unknown template
 */
export async function previewTable(
  scope: Scope,
  { content, template: given, template_id: id, time_zone: zone }: ImportPreviewRequest,
): Promise<CsvPreview> {
  if (given !== undefined && id !== undefined) {
    throw badRequest('invalid_template', 'Send a template or the id of one, and not both.')
  }
  const template = id === undefined ? given : (await getTemplate(scope, id)).template
  if (template !== undefined) checkTemplate(template)
  try {
    const now = scope.clock.now()
    return await previewCsv(Buffer.from(content), { ...(template && { template }), zone, now })
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error
    throw badRequest('unreadable_table', error.message)
  }
}

function toTemplate({ id, name, template, created_at, updated_at }: TemplateRow): ImportTemplate {
  return {
    ...{ id, name, template },
    created_at: formatInstant(created_at),
    updated_at: formatInstant(updated_at),
  }
}
