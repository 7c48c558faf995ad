import { JSONParser } from '@streamparser/json'
import { isFields } from '../../../summaries/index.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { readJsonFile } from '../../files/json.ts'
import { decodeText, encodingOf } from '../../files/text.ts'

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

/** Files up to this size are parsed at once, which is several times as fast. */
const MOST_AT_ONCE = 16 << 20

/** How exports of the app begin: one object, `data`, with one of its lists. */
export const OPENING = new RegExp(
  `^\\ufeff?\\s*\\{\\s*"data"\\s*:\\s*\\{\\s*"(?:metrics|workouts|${OTHERS.join('|')})"\\s*:`,
)

/**
 * Yields the parts of an export in batches, in the order of the file, without holding a large file
 * in memory.
 * @throws ImportFileError `malformed_json`
 */
export async function* readItems(file: ImportFile): AsyncGenerator<ExportItem[]> {
  if (file.bytes <= MOST_AT_ONCE && !file.path.endsWith('.gz')) {
    yield* itemsOf(await readJsonFile(file))
    return
  }
  let items: ExportItem[] = []
  const paths = [
    ...['name', 'units', 'data.*'].map((name) => `$.data.metrics.*.${name}`),
    '$.data.workouts.*',
    ...OTHERS.map((name) => `$.data.${name}.*`),
  ]
  const parser = new JSONParser({ paths, keepStack: false })
  parser.onValue = ({ value, key, stack }) => {
    const section = stack[2]?.key
    if (section === 'workouts') items.push({ kind: 'workout', value })
    else if (section !== 'metrics') items.push({ kind: 'other', value })
    else {
      const metric = Number(stack[3]?.key)
      const kind = typeof key === 'number' ? 'point' : (key as 'name' | 'units')
      items.push({ kind, metric, value })
    }
  }
  try {
    for await (const text of decodeText(file.chunks(), encodingOf(await file.opening()))) {
      parser.write(text)
      yield items
      items = []
    }
    if (!parser.isEnded) throw new ImportFileError('malformed_json')
  } catch (error) {
    if (error instanceof ImportFileError || !(error instanceof Error)) throw error
    if ('syscall' in error) throw error
    throw new ImportFileError('malformed_json', { cause: error })
  }
  yield items
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function* itemsOf(content: unknown): Generator<ExportItem[]> {
  const data = isFields(content) && isFields(content.data) ? content.data : {}
  for (const [metric, found] of listOf(data.metrics).entries()) {
    if (!isFields(found)) continue
    yield [
      { kind: 'name', metric, value: found.name },
      { kind: 'units', metric, value: found.units },
      ...listOf(found.data).map((value) => ({ kind: 'point', metric, value }) as const),
    ]
  }
  yield listOf(data.workouts).map((value) => ({ kind: 'workout', value }) as const)
  for (const name of OTHERS) {
    yield listOf(data[name]).map((value) => ({ kind: 'other', value }) as const)
  }
}
