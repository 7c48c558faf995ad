import { REPORT_INPUTS } from './report-inputs.registry.ts'
import { quantityOf, type Slot } from './slots.ts'

const nameOf = (slot: Slot): string => quantityOf(slot)?.analyte ?? ''

/**
 * Returns all slots that a report must contain so that it can contain the given one, which is
 * included.
 */
export function listInputs(slot: Slot, slots: readonly Slot[]): Set<Slot> {
  return follow(slot, (one) => {
    const inputs = REPORT_INPUTS[nameOf(one)] ?? []
    return slots.filter((other) => inputs.includes(nameOf(other)))
  })
}

/** Returns all slots that a report cannot contain without the given one, which is included. */
export function listDependents(slot: Slot, slots: readonly Slot[]): Set<Slot> {
  return follow(slot, (one) =>
    slots.filter((other) => REPORT_INPUTS[nameOf(other)]?.includes(nameOf(one))),
  )
}

function follow(start: Slot, next: (slot: Slot) => readonly Slot[]): Set<Slot> {
  const found = new Set([start])
  for (const slot of found) for (const other of next(slot)) found.add(other)
  return found
}

/**
 * Takes slots in order, each with its dependent ones, as long as all of them fit. At least one is
 * taken where there is any, however many depend on it.
 */
export function takeSlotsTogether(
  ranked: readonly Slot[],
  comesWith: (slot: Slot) => ReadonlySet<Slot>,
  count: number,
  taken: ReadonlySet<Slot> = new Set(),
): Set<Slot> {
  const all = new Set(taken)
  for (const slot of ranked) {
    const more = comesWith(slot).difference(all)
    if (all.size + more.size <= count) for (const one of more) all.add(one)
  }
  const [first] = ranked.filter((slot) => !all.has(slot))
  if (all.size > taken.size || first === undefined) return all
  return all.union(comesWith(first))
}
