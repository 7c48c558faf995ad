import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { callApi } from '../connection/api-client.ts'
import type { Connection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { readInput } from '../terminal/input.ts'

/** How a table is read; the server checks the fields. */
export type CsvTemplate = Record<string, unknown>

/** A template that the team has saved. */
export interface SavedTemplate {
  id: string
  name: string
  template: CsvTemplate
}

/** A template in a file: the template alone, or with its name. */
export interface TemplateFile {
  name: string | undefined
  template: CsvTemplate
}

const PATH = '/v2/import/templates'

const listTemplates = async (connection: Connection): Promise<SavedTemplate[]> =>
  (await callApi<{ templates: SavedTemplate[] }>(connection, 'GET', PATH)).templates

/** Finds a saved template by its name or its id. @throws CliError that lists the names */
export async function findTemplate(
  connection: Connection,
  nameOrId: string,
): Promise<SavedTemplate> {
  const all = await listTemplates(connection)
  const found = all.find(({ id, name }) => id === nameOrId || name === nameOrId)
  if (found !== undefined) return found
  const names = all.map(({ name }) => name).join(', ')
  const known = names === '' ? 'The team has none yet.' : `The team has: ${names}.`
  throw new CliError(`There is neither a file nor a template ${nameOrId}. ${known}`)
}

/**
 * Reads a template from a JSON file; undefined where there is no such file.
 * @throws CliError for a file that is no template
 */
export async function readTemplateFile(path: string): Promise<TemplateFile | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || !found.isFile()) return undefined
  const content = parseObject(await readInput(path), path)
  const { name, template } = content
  if (typeof template !== 'object' || template === null) {
    return { name: undefined, template: content }
  }
  return { name: typeof name === 'string' ? name : undefined, template: template as CsvTemplate }
}

function parseObject(bytes: Buffer, path: string): Record<string, unknown> {
  try {
    const content = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
  } catch {}
  throw new CliError(`${path} is no template: it must be a JSON object.`)
}

/**
 * Returns the saved template that a command names: by its name or id, or by a JSON file, which is
 * saved first. The server reads a table by a saved template, because the import may run later.
 * @param save Name to save a file under; by default the name in the file, or else that of the file
 *   and a fingerprint of the template, which no other template has.
 * @throws CliError for an unknown name, and when another template has the name
 */
export async function useTemplate(
  connection: Connection,
  given: string,
  save?: string,
): Promise<SavedTemplate> {
  const file = await readTemplateFile(given)
  if (file === undefined) return findTemplate(connection, given)
  const name = save ?? file.name ?? nameOf(given, file.template)
  return saveTemplate(connection, name, file.template)
}

function nameOf(path: string, template: CsvTemplate): string {
  const content = createHash('sha256').update(JSON.stringify(template)).digest('hex')
  return `${basename(path).replace(/\.json$/i, '')} ${content.slice(0, 8)}`
}

/**
 * Saves a template under a name. The same template again is no error.
 * @throws CliError when another template has the name
 */
async function saveTemplate(
  connection: Connection,
  name: string,
  template: CsvTemplate,
): Promise<SavedTemplate> {
  const known = (await listTemplates(connection)).find((saved) => saved.name === name)
  if (known === undefined) {
    return callApi<SavedTemplate>(connection, 'POST', PATH, { body: { name, template } })
  }
  // The server adds the fields that have a default.
  if (isDeepStrictEqual({ ...known.template, ...template }, known.template)) return known
  throw new CliError(
    `The team has another template named ${name}. Save this one under another name.`,
  )
}
