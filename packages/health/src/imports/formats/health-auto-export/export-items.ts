import type { ImportFile } from '../../files/import-files.ts'
import { type JsonPart, type JsonPath, readJsonParts } from '../../files/json-parts.ts'

/** A part of an export. Name and units of a metric may come after its points. */
export type ExportItem =
  | { kind: 'name' | 'units' | 'point'; metric: number; value: unknown }
  | { kind: 'workout'; value: unknown }
  | { kind: 'other'; value: unknown }

/** Lists beside metrics and workouts, which have no series. */
const OTHERS = [
  'stateOfMind',
  'medications',
  'symptoms',
  'cycleTracking',
  'ecg',
  'heartRateNotifications',
] as const

/** How exports of the app begin: one object, `data`, with one of its lists. */
export const OPENING = new RegExp(
  `^\\ufeff?\\s*\\{\\s*"data"\\s*:\\s*\\{\\s*"(?:metrics|workouts|${OTHERS.join('|')})"\\s*:`,
)

const isWanted = ([, section, , name, point, ...rest]: JsonPath, length: number): boolean => {
  if (section !== 'metrics') return length === 3
  if (name === 'data') return point !== undefined && rest.length === 0
  return name !== undefined && length === 4
}

/**
 * Yields the parts of an export in batches, in the order of the file, without holding a large file
 * in memory.
 * @throws ImportFileError `malformed_json`
 */
export async function* readItems(file: ImportFile): AsyncGenerator<ExportItem[]> {
  for await (const parts of readJsonParts(file, (path) => isWanted(path, path.length))) {
    yield parts.flatMap(itemOf)
  }
}

function itemOf({ path, value }: JsonPart): ExportItem[] {
  const [, section, metric, name] = path
  if (section === 'workouts') return [{ kind: 'workout', value }]
  if (section !== 'metrics') return [{ kind: 'other', value }]
  if (typeof metric !== 'number') return []
  if (name === 'data') return [{ kind: 'point', metric, value }]
  return name === 'name' || name === 'units' ? [{ kind: name, metric, value }] : []
}
