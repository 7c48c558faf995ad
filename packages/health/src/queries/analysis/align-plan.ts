import { badRequest } from '@salus/kernel/errors'
import { approximateMs, spanOf } from '../period.ts'
import type { Align } from '../query.schema.ts'
import type { AlignPlan, GroupKey, GroupsColumn } from './plan.ts'
import { type Location, refuseQuery } from './refuse-query.ts'

/** Maximum number of rows that an extension adds to each partition. */
const MOST_ADDED_ROWS = 3_000_000

/**
 * Returns the plan of align (docs/contract/09-aggregate.md#align).
 * @throws InputError `invalid_align`, `missing_group_key`; AppError 400 `range_too_large`.
 */
export function toAlignPlan(
  align: Align | null | undefined,
  keys: readonly GroupKey[],
  output: readonly GroupsColumn[],
  loc: Location,
): AlignPlan | null {
  if (align === null || align === undefined) return null
  const alignLoc = [...loc, 'align']
  const axis = keys.findIndex(({ kind }) => kind === 'trunc')
  const trunc = keys[axis]
  if (trunc?.kind !== 'trunc') {
    return refuseQuery(alignLoc, 'invalid_align', 'Align needs a date_trunc in group_by.')
  }
  if (keys.some(({ kind }) => kind === 'part')) {
    refuseQuery(alignLoc, 'invalid_align', 'Align cannot be combined with a date_part.')
  }
  refuseMissingKeys(keys, output, loc)
  const { carry } = align
  const isNearest = carry.mode === 'carry_nearest'
  const given = (isNearest ? carry.span : carry.max_age) ?? null
  const cap = given && spanOf(given)
  const { span: bucket } = trunc
  if (cap !== null && approximateMs(cap) < approximateMs(bucket)) {
    const capLoc = [...alignLoc, 'carry', isNearest ? 'span' : 'max_age']
    refuseQuery(capLoc, 'invalid_align', 'The limit must be at least as long as the date_trunc.')
  }
  if (cap !== null && approximateMs(cap) / approximateMs(bucket) > MOST_ADDED_ROWS) {
    throw badRequest('range_too_large', 'Align would add too many rows.')
  }
  return { mode: carry.mode, cap, axis, bucket }
}

/** @throws InputError `missing_group_key` unless every key is selected as such. */
export function refuseMissingKeys(
  keys: readonly GroupKey[],
  output: readonly GroupsColumn[],
  loc: Location,
): void {
  const selected = new Set(
    output.flatMap((column) =>
      column.kind === 'key' && column.name !== 'index' ? column.key : [],
    ),
  )
  if (selected.size === keys.length) return
  refuseQuery([...loc, 'select'], 'missing_group_key', 'Every group key must be selected.')
}
