import { readQuantity, Segment } from '@salus/hl7v2'
import type { ObservationGroup } from './message-groups.ts'
import { TEXT_TYPES } from './observation-value.ts'

/**
 * Joins lines of one text: laboratories send a text as several OBX, one for each line, with the
 * same code, sub-id and status. Numbers are never joined.
 */
export function joinLines(groups: readonly ObservationGroup[]): ObservationGroup[] {
  const runs: ObservationGroup[][] = []
  for (const group of groups) {
    const run = runs.at(-1)
    if (run !== undefined && isNextLine(run.at(-1) as ObservationGroup, group)) run.push(group)
    else runs.push([group])
  }
  return runs.map((run) => {
    const [first, last] = [run[0] as ObservationGroup, run.at(-1) as ObservationGroup]
    if (first === last) return first
    const lines = run.map(({ obx }) => obx.field(5).raw).join('\n')
    return { obx: withValue(first.obx, lines), notes: last.notes, documents: last.documents }
  })
}

/** A note after a line ends the text. */
function isNextLine(before: ObservationGroup, { obx }: ObservationGroup): boolean {
  if (before.notes.length > 0 || before.documents.length > 0) return false
  const isSame = [2, 3, 4, 6, 7, 8, 11].every(
    (field) => before.obx.field(field).raw === obx.field(field).raw,
  )
  return isSame && obx.field(3).raw !== '' && isText(before.obx) && isText(obx)
}

const isText = (obx: Segment): boolean => {
  const value = obx.field(5)
  const type = obx.text(2).trim().toUpperCase()
  return TEXT_TYPES.includes(type) && !value.isNull && readQuantity(value.freeText) === undefined
}

function withValue({ name, raw, end, encoding }: Segment, value: string): Segment {
  const fields = raw.split(encoding.separators.field)
  fields[5] = value
  return new Segment(name, fields.join(encoding.separators.field), end, encoding)
}
