import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { ColumnType, Selectable } from 'kysely'
import type { CsvTemplate } from '../formats/csv/csv-template.schema.ts'

interface ImportTemplatesTable {
  environment_id: string
  id: string
  name: string
  template: ColumnType<CsvTemplate, string, string>
  created_at: Date
  updated_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    import_templates: ImportTemplatesTable
  }
}

export type TemplateRow = Selectable<ImportTemplatesTable>
type NewTemplate = Omit<TemplateRow, 'environment_id'>

/** Returns undefined when another template of the environment has the name. */
export function insertTemplate(
  { db, environment }: TransactionScope,
  { template, ...row }: NewTemplate,
): Promise<TemplateRow | undefined> {
  return db
    .insertInto('import_templates')
    .values({ ...row, environment_id: environment.id, template: JSON.stringify(template) })
    .onConflict((conflict) => conflict.columns(['environment_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function countTemplates({ db, environment }: Scope): Promise<number> {
  const { count } = await db
    .selectFrom('import_templates')
    .select((is) => is.fn.countAll<string>().as('count'))
    .where('environment_id', '=', environment.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns all templates by name. */
export function listTemplates({ db, environment }: Scope): Promise<TemplateRow[]> {
  return db
    .selectFrom('import_templates')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .orderBy('name')
    .execute()
}

export function findTemplate(
  { db, environment }: Scope,
  id: string,
): Promise<TemplateRow | undefined> {
  return db
    .selectFrom('import_templates')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns a template by its name, locked until the end of the transaction. */
export function lockTemplateByName(
  { db, environment }: TransactionScope,
  name: string,
): Promise<Pick<TemplateRow, 'id'> | undefined> {
  return db
    .selectFrom('import_templates')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
}

export function updateTemplate(
  { db, environment }: TransactionScope,
  id: string,
  { template, ...row }: Pick<TemplateRow, 'name' | 'template' | 'updated_at'>,
): Promise<TemplateRow | undefined> {
  return db
    .updateTable('import_templates')
    .set({ ...row, template: JSON.stringify(template) })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteTemplate({ db, environment }: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('import_templates')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
