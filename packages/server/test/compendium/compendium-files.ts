import { readdirSync, readFileSync } from 'node:fs'
import { type Loose, makeCatalog } from '../catalog/small-catalog.ts'

const EXAMPLES = new URL('../../../lab/data/compendium/', import.meta.url)

/** Returns the request of an example that is shipped. */
export function readExample(name: 'tables' | 'edos'): Loose {
  const folder = new URL(`${name}/`, EXAMPLES)
  const names = readdirSync(folder).filter((file) => file !== 'mapping.json')
  const contents = names.map((file) => [file, readFileSync(new URL(file, folder), 'base64')])
  const mapping = JSON.parse(readFileSync(new URL('mapping.json', folder), 'utf8'))
  return { lab: 'north', mapping, files: Object.fromEntries(contents) }
}

/** Returns the catalog of a laboratory without tests, and LOINC codes. */
export function catalogOfNorth(): Loose {
  const { labs, loincs } = makeCatalog()
  return { labs, loincs }
}

/** Returns a request with one CSV file of tests, without spaces before its lines. */
export function requestOf(tests: string, fields: Loose = {}, more: Loose = {}): Loose {
  const table = {
    file: 'tests.csv',
    fields: { code: 'CODE', name: 'NAME', sample_type: { value: 'serum' }, ...fields },
  }
  return {
    lab: 'north',
    mapping: { tables: { tests: [table], ...more.tables }, ...more.mapping },
    files: { 'tests.csv': toBase64(tests), ...more.files },
  }
}

/** Encodes a text, of which lines may be indented. */
export const toBase64 = (text: string): string =>
  Buffer.from(text.replace(/^ +/gm, '').trimStart()).toString('base64')
