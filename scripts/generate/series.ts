import { SERIES, type Series } from '@salus/contracts/series'
import { code, codeList, generatedNotice, joinParts, markdownTable } from './markdown.ts'

const SHAPES: Record<Series['shape'], string> = {
  interval: 'interval',
  point: 'point',
  blood_pressure: 'blood pressure',
}

/** Generates docs/series.md: every series of the registry. */
export function describeSeries(): string {
  return joinParts(
    generatedNotice('packages/contracts/src/series/series.registry.ts'),
    '# Time series',
    `Salus knows ${SERIES.length} series. Each has one unit, in which it is stored and returned; uploads may use any of the accepted labels and are converted. A sample that does not fit (another unit, a value out of range, an unknown type) is quarantined with a reason.`,
    '## Overview',
    describeColumns(),
    EXPLANATION,
    '## Types',
    'The type of a sample of these series names what it measures. “Required” means that a sample without a type is quarantined.',
    types(),
    '## Further fields',
    'Fields of samples of one series beside the common ones; they are `null` when they are unknown.',
    furtherFields(),
    '## Accepted unit labels',
    'Labels are case-sensitive. The first column is the unit of the series.',
    unitLabels(),
  )
}

const EXPLANATION = [
  '- **Path**: the name in addresses for reading and uploading, as in `/v2/timeseries/{user_id}/{path}`. Names in brackets work for uploads, too.',
  '- **Resource**: the name in `supported_resources`, in availability maps and in events.',
  '- **Shape**: an *interval* has a start and an end (end not included), a *point* one time, a *blood pressure* one time and two values.',
  '- **Range**: the range of the value in the unit of the series, both ends included.',
].join('\n')

function describeColumns(): string {
  const rows = SERIES.map((series) => [
    pathCell(series),
    code(series.resource),
    SHAPES[series.shape],
    code(series.unit),
    rangeOf(series),
    series.deprecated ? `${series.meaning} Deprecated.` : series.meaning,
  ])
  return markdownTable(['Path', 'Resource', 'Shape', 'Unit', 'Range', 'Meaning'], rows)
}

function pathCell({ name, resource, uploadNames }: Series): string {
  const others = [resource, ...uploadNames].filter((other) => other !== name)
  return others.length === 0 ? code(name) : `${code(name)} (${codeList(others)})`
}

function rangeOf({ valueKind, constantValue, codes, least, most }: Series): string {
  if (valueKind === 'text') return 'text'
  if (constantValue !== undefined) return `always ${constantValue}`
  if (codes !== undefined) return `one of ${codes.join(', ')}`
  if (least === null) return most === null ? 'any' : `at most ${most}`
  return most === null ? `at least ${least}` : `${least} to ${most}`
}

function types(): string {
  const rows = SERIES.flatMap(({ name, types }) => {
    if (types === null) return []
    const allowed = types.allowed === undefined ? 'any text' : codeList(types.allowed)
    return [[code(name), types.required ? 'required' : 'optional', allowed]]
  })
  return markdownTable(['Series', 'Type is', 'Types'], rows)
}

function furtherFields(): string {
  const rows = SERIES.flatMap(({ name, extraFields }) =>
    extraFields.map((field) => [
      code(name),
      code(field.name),
      field.kind === 'list' ? 'a list' : 'one text',
      codeList(field.allowed),
    ]),
  )
  return markdownTable(['Series', 'Field', 'Content', 'Values'], rows)
}

function unitLabels(): string {
  const rows = SERIES.flatMap((series) => {
    const common = [code(series.unit), code(series.name), labelsOf(series.units)]
    const special = Object.entries(series.unitsByType ?? {}).map(([type, table]) => [
      code(series.unit),
      `${code(series.name)}, type ${code(type)}`,
      labelsOf(table, series.units),
    ])
    return [common, ...special]
  })
  return markdownTable(['Unit', 'Series', 'Labels'], rows)
}

/** Returns the labels; a table of one type also mentions that it has factors of its own. */
function labelsOf(table: Series['units'], common?: Series['units']): string {
  const labels = Object.keys(table).map((label) =>
    label === '' ? 'no label (an empty text)' : code(label),
  )
  const hasOwnFactors = common !== undefined && JSON.stringify(common) !== JSON.stringify(table)
  return hasOwnFactors ? `${labels.join(', ')}, with factors of its own` : labels.join(', ')
}
